"""What every game shares: values, rules, players, events and play itself, without clock, files or network."""
