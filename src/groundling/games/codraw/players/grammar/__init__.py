"""A rule-based Drawer.

A message becomes tokens (`tokenizer`), mentions of pieces (`lexicon`, `mention_finder`), phrases
(`phrases`) and facts about pieces (`message_reader`, `fact_collector`, `coreference`,
`lookahead`, `facts`). All facts together give looks (`appearance`, `pose_expression`, `priors`) and places
(`position_cues`, `cue_offsets`, `layout`, `distances`), and so a scene (`sketch`), which the `drawer` draws.
The tables of words are in `vocabulary/`."""
