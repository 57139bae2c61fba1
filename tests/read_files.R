# Read each of the files that the command line names, and print as JSON what R has of it: of each
# column the name, the label, its cells with all digits, the letters of tagged NA, and its labels.
suppressPackageStartupMessages(library(haven))
whole <- function(x) if (is.null(x)) NULL else if (is.numeric(x)) ifelse(is.na(x), NA, sprintf("%.17g", as.numeric(x))) else as.character(x)
read <- function(path) switch(
  tools::file_ext(path),
  sav = read_sav(path, user_na = TRUE), dta = read_dta(path), rds = readRDS(path),
  R = { run <- new.env(); run$commandArgs <- function(...) character(); capture.output(sys.source(path, run, chdir = TRUE)); run$data }
)
column <- function(x, name) {
  labels <- attr(x, "labels")
  plain <- if (is.numeric(x)) as.numeric(x) else as.character(x)
  kept <- unclass(x)
  attributes(kept) <- NULL
  letters <- if (is.double(kept)) na_tag(kept) else rep(NA, length(kept))
  codes <- unclass(labels)
  attributes(codes) <- NULL
  list(
    name = name, numeric = is.numeric(kept), label = attr(x, "label"), cells = whole(kept), letters = letters,
    missing = is.na(x), codes = whole(codes), code_letters = if (is.double(codes)) na_tag(codes),
    na_values = whole(attr(x, "na_values")), na_range = whole(attr(x, "na_range")),
    meanings = names(labels), reasons = names(attr(x, "missing"))
  )
}
files <- lapply(commandArgs(trailingOnly = TRUE), function(path) {
  data <- read(path)
  unname(Map(column, as.list(data), names(data)))
})
cat(jsonlite::toJSON(files, na = "null", null = "null", auto_unbox = FALSE))
