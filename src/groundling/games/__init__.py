"""The games, one folder each. Nobody imports them by name: they are reached through their packs."""
