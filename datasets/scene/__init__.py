"""One labelled picture: cards on a table, a camera, light, and what a camera does to it."""
