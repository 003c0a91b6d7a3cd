"""The Drawer that needs nothing learned.

A message becomes words (`text`), pieces that are spoken of (`nouns`, `names`), phrases (`patterns`,
`wordings`, `statements`, `phrases`) and facts about pieces (`reader`, `telling`, `who`, `ahead`, `facts`).
From all facts follow looks (`decide`, `feelings`, `usual`) and places (`cues`, `meaning`, `layout`, `steps`),
and so a scene (`sketch`), which the `drawer` draws."""
