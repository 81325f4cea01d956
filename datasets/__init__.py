"""Generator of labelled card scenes: decks, tables, cameras and cameras' faults.

Training only: it needs OpenCV and the ``train`` extra, and the app never imports it.
"""
