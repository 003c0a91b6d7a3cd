"""Transformer layers whose attention is passed in as a function: training attends to whole dialogs, playing
only to new words with cached keys and values."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

AttentionFunction = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Attention of each head, from queries, keys and values to outputs."""


class _AttentionLayer(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.own, self.own_out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        wide = inner * width
        self.think = nn.Sequential(
            nn.Linear(width, wide), nn.GELU(), nn.Dropout(dropout), nn.Linear(wide, width)
        )
        self.drop = nn.Dropout(dropout)

    def _split_heads(self, row: Tensor) -> Tensor:
        return row.view(*row.shape[:-1], self.heads, -1).transpose(-3, -2)

    def _join_heads(self, found: Tensor) -> Tensor:
        return found.transpose(-3, -2).flatten(-2)

    def _attend_self(self, row: Tensor, look: AttentionFunction) -> Tensor:
        asked, keys, values = map(self._split_heads, self.own(row).chunk(3, dim=-1))
        return self.drop(self.own_out(self._join_heads(look(asked, keys, values))))  # type: ignore[no-any-return]


class ReaderLayer(_AttentionLayer):
    """Self-attention between words. Norms come after each step, as in BERT, or before it."""

    def __init__(self, width: int, heads: int, dropout: float, inner: int, after: bool) -> None:
        super().__init__(width, heads, dropout, inner)
        self.after = after
        self.norms = nn.ModuleList(nn.LayerNorm(width, eps=1e-12) for _ in range(2))

    def forward(self, row: Tensor, among: AttentionFunction) -> Tensor:
        first, second = self.norms
        if self.after:
            row = first(row + self._attend_self(row, among))
            return second(row + self.drop(self.think(row)))  # type: ignore[no-any-return]
        row = row + self._attend_self(first(row), among)
        return row + self.drop(self.think(second(row)))  # type: ignore[no-any-return]


class AnswerLayer(_AttentionLayer):
    """Self-attention between words or queries, then attention to something else."""

    def __init__(self, width: int, heads: int, dropout: float, inner: int) -> None:
        super().__init__(width, heads, dropout, inner)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.ask = nn.Linear(width, width)
        self.seen = nn.Linear(width, 2 * width)
        self.seen_out = nn.Linear(width, width)

    def project_keys(self, beside: Tensor) -> tuple[Tensor, Tensor]:
        keys, values = map(self._split_heads, self.seen(beside).chunk(2, dim=-1))
        return keys, values

    def forward(self, row: Tensor, among: AttentionFunction, beside: Callable[[Tensor], Tensor]) -> Tensor:
        row = row + self._attend_self(self.norms[0](row), among)
        found = self._join_heads(beside(self._split_heads(self.ask(self.norms[1](row)))))
        row = row + self.drop(self.seen_out(found))
        return row + self.drop(self.think(self.norms[2](row)))  # type: ignore[no-any-return]
