"""The load that the studio bears: people at real sockets, in a process of their own on the same machine."""
