"""Language models as players: any provider that Inspect AI knows, or a local GGUF file."""
