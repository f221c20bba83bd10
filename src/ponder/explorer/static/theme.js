// Before anything is painted: the theme that was chosen, or the system's.
{
  const chosen = localStorage.getItem("ponder-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
