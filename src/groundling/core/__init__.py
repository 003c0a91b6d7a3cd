"""What every game shares: values, rules, players, events, the table they meet at. Pure: no clock, no files,
no network."""
