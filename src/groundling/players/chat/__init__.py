"""A language model in a seat: any provider that Inspect AI knows, or a GGUF file on this machine."""
