/* Runs before the first paint, so that the page never flashes in the other theme. */
(function () {
  var kept = null;
  try {
    kept = window.localStorage.getItem("asz.theme");
  } catch (error) {
    kept = null;
  }
  var light = window.matchMedia("(prefers-color-scheme: light)").matches;
  var theme = kept === "light" || kept === "dark" ? kept : light ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
})();
