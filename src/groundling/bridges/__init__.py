"""Ways to and from other frameworks. Each knows one of them by name, and nothing else of ours knows a
bridge."""
