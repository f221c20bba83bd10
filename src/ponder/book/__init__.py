"""Opening books: positions met before, with the moves played in them and how they fared."""
