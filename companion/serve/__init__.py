"""The companion for phones on the same network: who may come in, what is served, and what it costs."""
