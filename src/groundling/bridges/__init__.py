"""Other people's frameworks. Each bridge is thin, and nothing of ours imports one."""
