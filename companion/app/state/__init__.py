"""What the app knows and does, without any screen: nothing here imports Flet."""
