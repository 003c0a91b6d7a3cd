"""Studies with people as pure values: the study file, events, their fold, and decisions about them."""
