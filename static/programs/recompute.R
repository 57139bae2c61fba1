# Recompute the estimates of a survey from its downloads, and compare them with the published ones.
#
# Put into one folder what the section "Downloads" of the results offers: the frozen parameters and
# the randomized reports, the estimated shares and, where there are some, the weighted results and
# the combinations of answers; of a survey in several waves also the parameters of the earlier ones.
# Of a survey in tiers take the files of one tier. Then run
#
#     Rscript recompute.R FOLDER
#
# It writes FOLDER/recomputed-by-R.csv, prints the largest difference from each published file, and
# ends with exit code 1 if a number differs or is missing. It needs R and its package jsonlite.
#
# Estimates and standard errors are computed here, from the integers of the devices' tables and the
# reports alone; so are the intervals that follow from them by a formula: means of numbers in bins
# and of scales, ranks, ratios (Fieller), counts of a network. NOT recomputed here: the intervals of
# shares and of quartiles, which invert a test, and the shares of short texts (recompute.py does
# these with Candor's library); and the intervals of weighted results and of the distribution of
# degrees. Which answers to direct questions stand together ("a + b") is read off the published
# tables.

suppressPackageStartupMessages(library(jsonlite))

Z <- qnorm(0.975)
# Differences up to this are rounding: absolute, and relative to the published number.
ROUNDING <- 1e-9
RELATIVE <- 1e-6
# A standard error smaller than its interval by this factor is rounding: it is published as empty.
VANISHED <- 1e-6
# Combinations of answers up to which the table of a whole group of questions is inverted.
MOST_COMBINATIONS <- 1024

# --- the files ------------------------------------------------------------------------------------

# The one file of this kind, under the name of the download or of the documentation.
file_of <- function(folder, name) {
  pattern <- sprintf("^(.*-)?%s( ?\\([0-9]+\\))?\\.csv$", name)
  files <- list.files(folder, pattern)
  if (length(files) > 1) stop("Several files are ", name, ".csv: ", toString(files))
  if (length(files) == 1) file.path(folder, files) else NULL
}

rows_of <- function(path) {
  if (is.null(path)) return(NULL)
  read.csv(path, colClasses = "character", check.names = FALSE, na.strings = character(),
           encoding = "UTF-8")
}

# The frozen parameters of all waves, the newest first.
waves_of <- function(folder) {
  documents <- lapply(list.files(folder, "\\.json$", full.names = TRUE), read_json)
  found <- Filter(function(each) !is.null(each$devices), documents)
  if (length(found) == 0) stop("The parameters are missing.")
  numbers <- vapply(found, function(each) each$wave, 0)
  found <- found[!duplicated(numbers)][order(-unique(numbers))]
  newest <- found[[1]]
  if (newest$mode == "pseudonymous" && length(found) < newest$wave) {
    stop("The parameters of earlier waves are missing: there are ", newest$wave, " waves.")
  }
  found
}

# --- devices --------------------------------------------------------------------------------------

# The chances of a device of one question: a row for each report, a column for each answer.
matrix_of <- function(table) {
  if (table$form == "ranking") return(ranking_matrix(table))
  if (table$form == "uniform") {
    size <- length(table$reports)
    chances <- matrix(table$other, size, size)
    diag(chances) <- table$kept
  } else if (table$form == "linear") {
    # The chance of the second report rises evenly with the number: two ends tell all of it.
    ends <- table$low + c(0, as.numeric(table$rise) * table$steps)
    chances <- rbind(table$denominator - ends, ends)
  } else {
    chances <- vapply(table$columns, unlist, numeric(length(table$reports)))
  }
  unname(chances) / table$denominator
}

# The orders of so many items, from 1, one in a row, as they are sorted.
orders_of <- function(items) {
  if (items == 1) return(matrix(1, 1, 1))
  shorter <- orders_of(items - 1)
  do.call(rbind, lapply(seq_len(items), function(first) {
    left <- seq_len(items)[-first]
    cbind(first, matrix(left[shorter], nrow(shorter)))
  }))
}

# The rank of each item in each order.
ranks_of <- function(items) t(apply(orders_of(items), 1, order))

# The chances of all orders: by the pairs of items that are the other way round.
ranking_matrix <- function(table) {
  places <- ranks_of(table$items)
  pairs <- combn(table$items, 2)
  before <- places[, pairs[1, ]] < places[, pairs[2, ]]
  signs <- 2 * before - 1
  distances <- (ncol(pairs) - signs %*% t(signs)) / 2
  chances <- matrix(unlist(table$weights)[distances + 1], nrow(places))
  if (!is.null(table$refusal)) {
    refusal <- unlist(table$refusal)
    chances <- rbind(cbind(chances, refusal[3]), refusal[1])
    chances[nrow(chances), ncol(chances)] <- refusal[2]
  }
  unname(chances) / table$denominator
}

# All cells of a table of these sizes, one in a row, the last running fastest; codes from 0.
cells_of <- function(sizes) {
  columns <- rev(expand.grid(lapply(rev(sizes), function(size) seq_len(size) - 1)))
  unname(as.matrix(columns))
}

# The chances of some of the questions that one report is about. `weights[m + 1]` is the chance of
# one combination in which m answers have changed.
joint_matrix <- function(table, places) {
  sizes <- vapply(table$parts, length, 0)
  weights <- unlist(table$weights)
  others <- sizes[-places]
  moves <- if (length(others)) cells_of(rep(2, length(others))) else matrix(0, 1, 0)
  ways <- apply(moves, 1, function(move) prod((others - 1)^move))
  chances <- vapply(0:length(places), function(changed) {
    sum(ways * weights[changed + rowSums(moves) + 1])
  }, 0)
  cells <- cells_of(sizes[places])
  changed <- matrix(0, nrow(cells), nrow(cells))
  for (axis in seq_along(places)) changed <- changed + outer(cells[, axis], cells[, axis], "!=")
  matrix(chances[changed + 1], nrow(cells)) / table$denominator
}

# Every device that has a table; of questions that are sent together the part of each.
devices_in <- function(parameters) {
  found <- list()
  for (device in parameters$devices) {
    table <- device$table
    if (table$form %in% c("ties", "bloom")) next
    names <- unlist(device$questions)
    common <- list(stratum = device$stratum, wave = parameters$wave)
    if (table$form != "joint") {
      one <- c(common, list(id = device$id, questions = names, option = device$option,
                            matrix = matrix_of(table), direct = table$denominator == 1,
                            guess = as.numeric(unlist(device$search$prior)), sent_as = device$id))
      found <- c(found, list(one))
      next
    }
    for (place in seq_along(names)) {
      one <- c(common, list(id = names[place], questions = names[place],
                            matrix = joint_matrix(table, place), direct = FALSE,
                            sent_as = device$id, place = place,
                            sizes = vapply(table$parts, length, 0)))
      found <- c(found, list(one))
    }
  }
  found
}

# --- the estimate ---------------------------------------------------------------------------------

# G with G P = 1: the inverse or, of more reports than answers, weighted least squares, the weights
# being the reports expected under equal shares, or under the guess of before launch.
left_inverse <- function(chances, guess = NULL) {
  size <- ncol(chances)
  shares <- if (length(guess)) guess else rep(1 / size, size)
  root <- 1 / sqrt(pmax(as.vector(chances %*% shares), 1e-12))
  factors <- qr(chances * root)
  inverse <- matrix(0, size, nrow(chances))
  inverse[factors$pivot, ] <- backsolve(qr.R(factors), t(qr.Q(factors)))
  inverse * rep(root, each = size)
}

# The nearest shares that can be.
projected <- function(shares) {
  descending <- sort(shares, decreasing = TRUE)
  excess <- (cumsum(descending) - 1) / seq_along(shares)
  inside <- pmax(shares - excess[max(which(descending > excess))], 0)
  inside / sum(inside)
}

# Whether shares outside of what can be have made some variance negative.
is_indefinite <- function(covariance) {
  lifted <- covariance + diag(1e-12 * max(1, abs(covariance)), nrow(covariance))
  inherits(try(chol(lifted), silent = TRUE), "try-error")
}

# Unbiased shares of the answers behind the reports of one or several devices.
#
# Several are stacked, each with its share of the reports: A = (n_s/n) P_s, pi = G lam. The
# covariance of a sample V solves V = G diag(A pi) G'/n - sum_s M_s (pi pi' - V) M_s'/n_s with
# M_s = G_s A_s; of one device that is (G diag(lam) G' - pi pi')/(n - 1). Of a fixed group only the
# device errs. `covariance` is NULL where one report tells no error.
estimate <- function(strata, population, guess = NULL) {
  used <- list()
  for (stratum in strata) {
    if (sum(stratum$counts) == 0) next
    same <- Position(function(each) identical(each$matrix, stratum$matrix), used)
    if (is.na(same)) used <- c(used, list(stratum))
    else used[[same]]$counts <- used[[same]]$counts + stratum$counts
  }
  sizes <- vapply(used, function(each) sum(each$counts), 0)
  n <- sum(sizes)
  blocks <- Map(function(each, size) size / n * each$matrix, used, sizes)
  stacked <- do.call(rbind, blocks)
  reported <- unlist(lapply(used, function(each) each$counts)) / n
  inverse <- left_inverse(stacked, guess)
  values <- as.vector(inverse %*% reported)
  ends <- cumsum(vapply(blocks, nrow, 0))
  parts <- Map(function(block, end) {
    inverse[, seq(end - nrow(block) + 1, end), drop = FALSE] %*% block
  }, blocks, ends)
  mixed <- function(square) {
    Reduce(`+`, Map(function(part, size) part %*% square %*% t(part) / size, parts, sizes))
  }
  covariance_at <- function(shares, fitted) {
    if (length(used) == 1) {
      spread <- inverse %*% (fitted * t(inverse))
      if (population == "fixed") return((spread - diag(shares, length(shares))) / n)
      return((spread - outer(shares, shares)) / (n - 1))
    }
    first <- inverse %*% (as.vector(stacked %*% shares) * t(inverse)) / n
    first <- first - mixed(outer(shares, shares))
    found <- first
    for (round in 1:1000) {
      following <- first + mixed(found)
      moved <- max(abs(following - found))
      found <- following
      if (moved <= 1e-14 * max(abs(found))) break
    }
    if (population == "fixed") {
      sampled <- diag(shares, length(shares)) - outer(shares, shares) + found
      found <- found - sampled / n
    }
    found
  }
  square <- nrow(stacked) == ncol(stacked) && length(used) == 1
  fitted <- if (square) reported else as.vector(stacked %*% values)
  covariance <- NULL
  if (min(sizes) > 1 || (length(used) == 1 && population == "fixed")) {
    covariance <- covariance_at(values, fitted)
    leading <- if (length(used) > 1 || population == "fixed") values else fitted
    if (min(leading) < 0 && is_indefinite(covariance)) {
      nearest <- projected(values)
      covariance <- covariance_at(nearest, as.vector(stacked %*% nearest))
    }
  }
  list(n = n, values = values, covariance = covariance)
}

errors_of <- function(shares) {
  if (is.null(shares$covariance)) return(rep(NA_real_, length(shares$values)))
  sqrt(pmax(diag(shares$covariance), 0))
}

# The ratios that both estimates do not contradict; 0 to 1 where they allow anything. `moments`: the
# variance of the numerator, the covariance, the variance of the denominator.
fieller <- function(over, under, moments) {
  square <- under^2 - Z^2 * moments[3]
  if (under <= 0 || square <= 0) return(c(0, 1))
  middle <- over * under - Z^2 * moments[2]
  root <- sqrt(max(middle^2 - square * (over^2 - Z^2 * moments[1]), 0))
  c(middle - root, middle + root) / square
}

# --- a survey -------------------------------------------------------------------------------------

survey_of <- function(waves, reports, published) {
  newest <- waves[[1]]
  devices <- unlist(lapply(waves, devices_in), recursive = FALSE)
  uses <- table(vapply(devices_in(newest), function(each) each$id, ""))
  people <- if (is.null(reports[["in.tables"]])) rep(TRUE, nrow(reports))
            else reports[["in.tables"]] == "1"
  survey <- list(
    waves = waves, newest = newest, reports = reports, published = published,
    together = newest$linkage == "together",
    # Only these reports say in which wave they were sent.
    returning = newest$mode == "pseudonymous",
    population = if (is.null(newest$population)) "sample" else newest$population,
    threshold = max(newest$release_threshold, 1),
    several = names(uses)[uses > 1],
    people = people
  )
  survey$devices <- lapply(devices, function(device) {
    c(device, list(codes = codes_of(survey, device)))
  })
  survey
}

# The code of each row's report of a device, from 0; NA without one.
codes_of <- function(survey, device) {
  rows <- survey$reports
  if (survey$together) {
    # Empty or less than 0: no report, with the reason; no column: held back of everybody.
    column <- rows[[device$id]]
    if (is.null(column)) return(rep(NA_integer_, nrow(rows)))
    codes <- suppressWarnings(as.integer(column))
    here <- rep(TRUE, nrow(rows))
    if (survey$returning) here <- here & as.integer(rows$wave) == device$wave
    if (device$id %in% survey$several) {
      here <- here & rows[[paste0(device$id, ".stratum")]] == device$stratum
    }
    codes[!here | codes < 0] <- NA
    return(codes)
  }
  here <- rows$variable == device$sent_as & rows$stratum == device$stratum
  codes <- suppressWarnings(as.integer(rows$code))
  codes[!here] <- NA
  if (is.null(device$place)) return(codes)
  # The code numbers combinations, the last question running fastest.
  below <- prod(device$sizes[-seq_len(device$place)])
  (codes %/% below) %% device$sizes[device$place]
}

# How often each combination of codes of these devices was sent by a person, the last fastest.
counts_of <- function(survey, devices, people = TRUE) {
  sizes <- vapply(devices, function(each) nrow(each$matrix), 0)
  place <- 0
  for (device in devices) place <- place * nrow(device$matrix) + device$codes
  tabulate(place[people & !is.na(place)] + 1, prod(sizes))
}

devices_of <- function(survey, question) {
  Filter(function(device) question %in% device$questions, survey$devices)
}

is_direct <- function(survey, question) {
  all(vapply(devices_of(survey, question), function(device) device$direct, NA))
}

# What was recomputed: n, estimate, standard error and both ends of the interval of each row, under
# a key of question, group_by, group, answer and share_of.
RESULTS <- new.env()
SEPARATOR <- "\x1f"

enter <- function(key, n, estimate, error = NA, low = NA, high = NA) {
  assign(paste(key, collapse = SEPARATOR), c(n, estimate, error, low, high), envir = RESULTS)
}

# Mean ranks, shares of ranks, of pairs and of up to four items of whole orders. The reported ranks
# of one or two items depend on their true ranks alone.
ranking_numbers <- function(survey, question) {
  name <- question$id
  labels <- unlist(question$categories)
  refuses <- as.integer(question$prefer_not)
  items <- length(labels) - refuses
  used <- Filter(function(device) sum(counts_of(survey, list(device))) >= survey$threshold,
                 devices_of(survey, name))
  if (length(used) == 0) return()
  ranks <- ranks_of(items)
  # The shares of groups of orders, numbered from 1, that a device takes for one each.
  shares_of <- function(cells) {
    groups <- c(cells, rep(max(cells) + 1, refuses))
    firsts <- match(seq_len(max(groups)), groups)
    strata <- lapply(used, function(device) {
      counts <- counts_of(survey, list(device))
      list(matrix = unname(rowsum(device$matrix[, firsts], groups)),
           counts = as.vector(rowsum(counts, groups)))
    })
    estimate(strata, survey$population)
  }
  told <- if (survey$population == "fixed") "always" else "unless_alike"
  for (item in seq_len(items)) {
    shares <- shares_of(ranks[, item])
    errors <- errors_of(shares)
    mean_numbers(c(name, "", labels[item], "mean rank", "number"), shares, seq_len(items), told)
    for (rank in seq_len(items)) {
      enter(c(name, "", labels[item], paste("rank", rank), "everybody"), shares$n,
            shares$values[rank], errors[rank])
    }
    if (refuses) {
      enter(c(name, "", "", labels[items + 1], "everybody"), shares$n, shares$values[items + 1],
            errors[items + 1])
    }
  }
  for (first in seq_len(items - 1)) for (second in seq(first + 1, items)) {
    known <- subset(expand.grid(b = seq_len(items), a = seq_len(items)), a != b)
    cells <- match(paste(ranks[, first], ranks[, second]), paste(known$a, known$b))
    mean_numbers(c(name, "", labels[first], paste("before", labels[second]), "ranking"),
                 shares_of(cells), as.numeric(known$a < known$b), told)
  }
  if (items > 4) return()
  shares <- shares_of(seq_len(nrow(ranks)))
  errors <- errors_of(shares)
  orders <- orders_of(items)
  for (number in seq_len(nrow(orders))) {
    answer <- paste(labels[orders[number, ]], collapse = " > ")
    enter(c(name, "", "", answer, "everybody"), shares$n, shares$values[number], errors[number])
  }
}

question_numbers <- function(survey, question) {
  name <- question$id
  labels <- unlist(question$categories)
  used <- Filter(function(device) sum(counts_of(survey, list(device))) >= survey$threshold,
                 devices_of(survey, name))
  if (length(used) == 0) return()
  if (question$kind == "multiple_choice") {
    for (option in seq_along(labels)) {
      strata <- list()
      for (device in used) {
        if (!is.null(device$option) && device$option != option - 1) next
        split <- option_device(device, option - 1, question$prefer_not)
        counts <- counts_of(survey, list(device))
        ticked <- sum(counts[split$ticked])
        own <- list(matrix = split$matrix, counts = c(sum(counts) - ticked, ticked))
        strata <- c(strata, list(own))
      }
      if (length(strata) == 0) next
      shares <- estimate(strata, survey$population)
      enter(c(name, "", "", labels[option], "everybody"), shares$n, shares$values[2],
            errors_of(shares)[2])
    }
    return()
  }
  strata <- lapply(used, function(device) {
    list(matrix = device$matrix, counts = counts_of(survey, list(device)))
  })
  shares <- estimate(strata, survey$population, if (length(used) == 1) used[[1]]$guess)
  errors <- errors_of(shares)
  scale <- question$scale
  if (question$kind == "bounded_number" && length(scale$bins) == 0) {
    width <- as.numeric(scale$upper) - as.numeric(scale$lower)
    enter(c(name, "", "", "mean", "number"), shares$n,
          as.numeric(scale$lower) + width * shares$values[2], width * errors[2])
    return()
  }
  for (index in seq_along(labels)) {
    enter(c(name, "", "", labels[index], "everybody"), shares$n, shares$values[index],
          errors[index])
  }
  if (isTRUE(question$not_applicable)) shares_of_asked(question, shares)
  if (question$kind == "bounded_number") number_in_bins(question, shares)
  if (question$kind == "scale") {
    told <- if (survey$population == "fixed") "always"
            else if (is_direct(survey, name)) "alike_too" else "unless_alike"
    mean_numbers(c(name, "", "", "mean", "number"), shares, seq_len(answers_of(question)), told)
  }
}

# How many categories are answers: "does not apply" and a refusal follow them.
answers_of <- function(question) {
  length(question$categories) - question$prefer_not - isTRUE(question$not_applicable)
}

# The shares among those whom a question is for: all but whoever it does not apply to. Their
# intervals invert a test.
shares_of_asked <- function(question, shares) {
  outside <- answers_of(question) + 1
  share <- 1 - shares$values[outside]
  inside <- as.numeric(seq_along(shares$values) != outside)
  whole <- if (is.null(shares$covariance)) Inf else
    sqrt(max(inside %*% shares$covariance %*% inside, 0))
  # Any share of a group that may be empty fits the reports.
  if (share <= Z * whole) {
    for (place in which(inside == 1)) {
      enter(c(question$id, "", "", question$categories[[place]], "asked"), shares$n, NA, NA, 0, 1)
    }
    return()
  }
  for (place in setdiff(seq_along(shares$values), outside)) {
    value <- shares$values[place] / share
    slopes <- rep(-value, length(shares$values))
    slopes[outside] <- 0
    slopes[place] <- slopes[place] + 1
    error <- NA
    if (!is.null(shares$covariance)) {
      error <- sqrt(max(slopes %*% shares$covariance %*% slopes, 0)) / share
    }
    enter(c(question$id, "", "", question$categories[[place]], "asked"), shares$n, value, error)
  }
}

# One option of a multiple choice: the chances of not ticked and ticked, and which codes stand for
# ticked. A code is a set of ticks, bit by bit; the last is the refusal, which ticks nothing else.
option_device <- function(device, option, prefer_not) {
  size <- nrow(device$matrix)
  if (!is.null(device$option)) return(list(matrix = device$matrix, ticked = c(FALSE, TRUE)))
  codes <- seq_len(size) - 1
  refusal <- if (prefer_not) size - 1 else size
  ticked <- (codes %/% 2^option) %% 2 == 1 & codes != refusal
  if (2^option == refusal) ticked <- codes == refusal
  # To the device all sets with the tick are alike in what it makes of the tick.
  raised <- colSums(device$matrix[ticked, , drop = FALSE])
  with <- c(raised[which(!ticked)[1]], raised[which(ticked)[1]])
  list(matrix = rbind(1 - with, with), ticked = ticked)
}

# The mean score of the first answers, as a ratio; others have preferred not to say. Where all
# reports to a scale are the same its error would come out as 0: then scrambled ones do not tell the
# mean, and the interval of direct answers inverts a test.
mean_numbers <- function(key, shares, scores, told = "always") {
  values <- shares$values[seq_along(scores)]
  answering <- sum(values)
  if (answering <= 0) return()
  slopes <- rep(0, length(shares$values))
  if (length(scores) == length(slopes)) {
    mean <- sum(scores * values)
    slopes <- scores
  } else {
    mean <- sum(scores * values) / answering
    slopes[seq_along(scores)] <- (scores - mean) / answering
  }
  error <- NA
  if (!is.null(shares$covariance)) {
    error <- sqrt(max(slopes %*% shares$covariance %*% slopes, 0))
  }
  ends <- mean + c(-Z, Z) * error
  if (told != "always" && !is.na(error) && error < VANISHED) {
    ends <- c(NA, NA)
    if (told == "unless_alike") mean <- error <- NA
  }
  enter(key, shares$n, mean, error, ends[1], ends[2])
}

# The bounds of the bins of a number, and their middles. Two bins meet half-way between the last
# number of the one and the first of the other.
bins_of <- function(scale) {
  lower <- as.numeric(scale$lower)
  upper <- as.numeric(scale$upper)
  steps <- round((upper - lower) / as.numeric(scale$step))
  starts <- unlist(scale$bins)
  count <- length(starts)
  lasts <- c(starts[-1], steps + 1) - 1
  bounds <- c(0, (starts[-1] + lasts[-count]) / 2, steps)
  unit <- (upper - lower) / steps
  list(bounds = lower + unit * bounds, middles = lower + unit * (starts + lasts) / 2)
}

# The mean by the middles of the bins, and the quartiles by a line within each.
number_in_bins <- function(question, shares) {
  bins <- bins_of(question$scale)
  count <- length(bins$middles)
  mean_numbers(c(question$id, "", "", "mean", "number"), shares, bins$middles)
  inside <- projected(shares$values)[seq_len(count)]
  inside <- if (sum(inside) > 0) inside / sum(inside) else rep(1 / count, count)
  below <- c(0, cumsum(inside)[-count], 1)
  for (chance in c(0.25, 0.5, 0.75)) {
    # Where a range of numbers fits, half-way.
    places <- vapply(c(which(below >= chance)[1], which(below > chance)[1]), function(above) {
      above - 2 + (chance - below[above - 1]) / (below[above] - below[above - 1])
    }, 0)
    value <- approx(0:count, bins$bounds, mean(places))$y
    enter(c(question$id, "", "", paste0("p", 100 * chance), "number"), shares$n, value)
  }
}

# --- tables ---------------------------------------------------------------------------------------

# The answers that a label of a table stands for, from 1: one, or several that stand together.
answers_behind <- function(label, categories) {
  for (index in seq_along(categories)) {
    if (label == categories[index]) return(index)
    start <- paste0(categories[index], " + ")
    if (startsWith(label, start)) {
      rest <- answers_behind(substring(label, nchar(start) + 1), categories)
      if (!is.null(rest)) return(c(index, rest))
    }
  }
  NULL
}

categories_of <- function(survey, question) {
  asked <- Filter(function(each) each$id == question, survey$newest$questions)[[1]]
  unlist(asked$categories)
}

recoding <- function(survey, question, labels) {
  lapply(labels, answers_behind, categories = categories_of(survey, question))
}

# The labels of each published table: answers and groups, in their order.
published_tables <- function(rows) {
  rows <- rows[rows$group_by != "" & rows$share_of %in% c("everybody", "group"), ]
  lapply(split(rows, paste(rows$question, rows$group_by)), function(own) {
    list(outcome = own$question[1], group = own$group_by[1], answers = unique(own$answer),
         groups = unique(own$group))
  })
}

tables <- function(survey) {
  for (table in published_tables(survey$published)) {
    pair <- c(table$outcome, table$group)
    joint <- Filter(function(device) {
      device$table$form == "joint" && all(pair %in% unlist(device$questions))
    }, survey$newest$devices)
    if (length(joint) == 0) table_numbers(survey, table, crossings(survey, table))
    for (device in joint) {
      chances <- joint_matrix(device$table, match(pair, unlist(device$questions)))
      strata <- lapply(joint_counts(survey, device, pair), function(counts) {
        list(matrix = chances, counts = counts)
      })
      table_numbers(survey, table, strata)
    }
  }
}

# How many sent each combination of codes for some questions of a device, in each wave.
joint_counts <- function(survey, device, questions) {
  counts <- lapply(survey$waves, function(wave) {
    own <- lapply(questions, function(name) {
      Filter(function(each) {
        each$sent_as == device$id && each$stratum == device$stratum && each$wave == wave$wave
      }, devices_of(survey, name))[[1]]
    })
    counts_of(survey, own)
  })
  Filter(function(each) sum(each) >= survey$threshold, counts)
}

# What the people sent who answered both, through each pair of devices.
crossings <- function(survey, table) {
  strata <- list()
  sides <- list(list(name = table$outcome, labels = table$answers),
                list(name = table$group, labels = table$groups))
  for (one in devices_of(survey, table$outcome)) for (other in devices_of(survey, table$group)) {
    pair <- list(one, other)
    counts <- counts_of(survey, pair, survey$people)
    if (one$wave != other$wave || sum(counts) < survey$threshold) next
    counts <- matrix(counts, nrow(one$matrix), byrow = TRUE)
    matrices <- list(one$matrix, other$matrix)
    for (axis in 1:2) if (is_direct(survey, sides[[axis]]$name)) {
      shown <- recoding(survey, sides[[axis]]$name, sides[[axis]]$labels)
      merge <- vapply(shown, function(codes) {
        as.numeric(seq_len(nrow(pair[[axis]]$matrix)) %in% codes)
      }, numeric(nrow(pair[[axis]]$matrix)))
      counts <- if (axis == 1) t(merge) %*% counts else counts %*% merge
      matrices[[axis]] <- diag(length(shown))
    }
    strata <- c(strata, list(list(matrix = kronecker(matrices[[1]], matrices[[2]]),
                                  counts = as.vector(t(counts)), outcome = matrices[[1]],
                                  table = counts)))
  }
  strata
}

table_numbers <- function(survey, table, strata) {
  if (length(strata) == 0) return()
  size <- length(table$groups)
  joint <- estimate(strata, survey$population)
  errors <- errors_of(joint)
  key <- function(answer, group, of) c(table$outcome, table$group, group, answer, of)
  for (a in seq_along(table$answers)) for (g in seq_len(size)) {
    cell <- (a - 1) * size + g
    value <- if (is.na(errors[cell])) NA else joint$values[cell]
    enter(key(table$answers[a], table$groups[g], "everybody"), joint$n, value, errors[cell])
  }
  for (g in seq_len(size)) {
    if (is_direct(survey, table$group)) {
      # Everybody's group is known: each is estimated by itself.
      own <- lapply(strata, function(each) list(matrix = each$outcome, counts = each$table[, g]))
      if (sum(vapply(own, function(each) sum(each$counts), 0)) == 0) next
      within <- estimate(own, survey$population)
      lone <- is.null(within$covariance)
      for (a in seq_along(table$answers)) {
        enter(key(table$answers[a], table$groups[g], "group"), joint$n,
              if (lone) NA else within$values[a], errors_of(within)[a])
      }
      next
    }
    places <- (seq_along(table$answers) - 1) * size + g
    ratios <- ratios_of(joint$values, joint$covariance, places)
    for (a in seq_along(table$answers)) {
      ratio <- ratios[a, ]
      vanished <- survey$population == "sample" && !is.na(ratio[2]) && ratio[2] < VANISHED
      if (all(ratio[3:4] == c(0, 1)) || vanished || is.na(ratio[2])) ratio <- c(NA, NA, 0, 1)
      enter(key(table$answers[a], table$groups[g], "group"), joint$n, ratio[1], ratio[2], ratio[3],
            ratio[4])
    }
  }
}

# The share of each of some cells of all of them, its error by linearisation, Fieller's interval.
ratios_of <- function(values, covariance, places) {
  cells <- values[places]
  whole <- sum(cells)
  if (whole <= 0 || is.null(covariance)) {
    return(matrix(c(NA, NA, 0, 1), length(places), 4, byrow = TRUE))
  }
  own <- covariance[places, places, drop = FALSE]
  t(vapply(seq_along(places), function(index) {
    ratio <- cells[index] / whole
    moments <- c(own[index, index], sum(own[index, ]), sum(own))
    square <- moments[1] - 2 * ratio * moments[2] + ratio^2 * moments[3]
    c(ratio, sqrt(max(square, 0)) / whole, fieller(cells[index], whole, moments))
  }, numeric(4)))
}

# Every combination of answers to questions that were sent together, by group and codes.
combined_answers <- function(survey) {
  for (device in survey$newest$devices) {
    if (device$table$form != "joint") next
    sizes <- vapply(device$table$parts, length, 0)
    if (prod(sizes) > MOST_COMBINATIONS) {
      cat("Not recomputed: groups of more than", MOST_COMBINATIONS, "combinations\n")
      next
    }
    names <- unlist(device$questions)
    chances <- joint_matrix(device$table, seq_along(sizes))
    strata <- lapply(joint_counts(survey, device, names), function(counts) {
      list(matrix = chances, counts = counts)
    })
    if (length(strata) == 0) next
    shares <- estimate(strata, survey$population)
    cells <- cells_of(sizes)
    name <- if (device$stratum == "page") device$id else device$stratum
    for (row in seq_len(nrow(cells))) {
      enter(c(name, paste(cells[row, ], collapse = " ")), shares$n, shares$values[row],
            errors_of(shares)[row])
    }
  }
}

# --- weighted -------------------------------------------------------------------------------------

is_share <- function(rows, question) {
  rows$question == question & rows$group_by == "" & rows$share_of == "everybody"
}

# The answer of each person to a direct question, from 0; NA without one.
direct_codes <- function(survey, question) {
  columns <- lapply(devices_of(survey, question), function(device) device$codes)
  Reduce(function(first, second) ifelse(is.na(first), second, first), columns)
}

# Weights that meet the declared margins, each in turn, from equal weights; and what they say of
# each person: a column for each answer, one for those who gave it less its share.
raked <- function(survey, published) {
  known <- lapply(survey$newest$weighting$margins, function(margin) {
    name <- margin$question
    groups <- recoding(survey, name, published$answer[is_share(published, name)])
    level <- rep(NA_integer_, length(margin$shares))
    for (index in seq_along(groups)) level[groups[[index]]] <- index
    shares <- as.numeric(unlist(margin$shares))
    list(codes = level[direct_codes(survey, name)[survey$people] + 1],
         shares = vapply(groups, function(group) sum(shares[group]), 0))
  })
  weights <- rep(1, sum(survey$people))
  sums_of <- function(margin) {
    vapply(seq_along(margin$shares), function(index) sum(weights[margin$codes %in% index]), 0)
  }
  for (round in 1:1000) {
    for (margin in known) {
      there <- !is.na(margin$codes)
      sums <- sums_of(margin)
      factors <- margin$shares * sum(sums) / sums
      weights[there] <- weights[there] * factors[margin$codes[there]]
    }
    off <- vapply(known, function(margin) {
      sums <- sums_of(margin)
      max(abs(sums / sum(sums) - margin$shares))
    }, 0)
    if (max(off) <= 1e-10) break
  }
  columns <- do.call(cbind, lapply(known, function(margin) {
    gave <- outer(margin$codes, seq_along(margin$shares), "==")
    gave[is.na(gave)] <- FALSE
    gave - outer(as.numeric(!is.na(margin$codes)), margin$shares)
  }))
  list(weights = weights, columns = columns)
}

pseudo_inverse <- function(square) {
  parts <- eigen(square, symmetric = TRUE)
  kept <- abs(parts$values) > 1e-10 * max(abs(parts$values))
  vectors <- parts$vectors[, kept, drop = FALSE]
  vectors %*% (t(vectors) / parts$values[kept])
}

# Hajek's mean of the scores of those who reported, and its covariance: linearised, and what the
# margins predict of a contribution does not vary.
weighted_mean <- function(sample, scores, reported) {
  weights <- ifelse(reported, sample$weights, 0)
  values <- as.vector(weights %*% scores) / sum(weights)
  units <- sweep(scores, 2, values) / sum(weights)
  units[!reported, ] <- 0
  columns <- sample$columns
  slopes <- pseudo_inverse(crossprod(columns)) %*% crossprod(columns, units)
  residuals <- (units - columns %*% slopes) * sample$weights
  centred <- sweep(residuals, 2, colMeans(residuals))
  n <- length(weights)
  list(n = sum(reported), values = values, covariance = n / (n - 1) * crossprod(centred))
}

# The score of each person's report for each answer, by the person's device; and who has one.
scores_of <- function(survey, question, labels, option = NULL) {
  name <- question$id
  size <- if (is.null(option)) length(question$categories) else 2
  scores <- matrix(0, nrow(survey$reports), size)
  reported <- rep(FALSE, nrow(survey$reports))
  for (device in devices_of(survey, name)) {
    if (!is.null(device$option) && (is.null(option) || device$option != option)) next
    if (sum(counts_of(survey, list(device))) < survey$threshold) next
    there <- !is.na(device$codes)
    codes <- device$codes[there] + 1
    chances <- device$matrix
    if (!is.null(option)) {
      split <- option_device(device, option, question$prefer_not)
      codes <- split$ticked[codes] + 1
      chances <- split$matrix
    }
    scores[there, ] <- t(left_inverse(chances))[codes, ]
    reported <- reported | there
  }
  if (is.null(option) && is_direct(survey, name) && length(labels)) {
    shown <- recoding(survey, name, labels)
    scores <- vapply(shown, function(codes) rowSums(scores[, codes, drop = FALSE]),
                     numeric(nrow(scores)))
  }
  list(scores = scores[survey$people, , drop = FALSE], reported = reported[survey$people])
}

weighted_numbers <- function(survey, published) {
  sample <- raked(survey, published)
  fixed <- vapply(survey$newest$weighting$margins, function(margin) margin$question, "")
  for (question in survey$newest$questions) {
    name <- question$id
    labels <- published$answer[is_share(published, name)]
    has_mean <- any(published$question == name & published$answer == "mean")
    if (question$kind == "multiple_choice") {
      for (option in seq_along(question$categories)) {
        own <- scores_of(survey, question, labels, option - 1)
        if (!any(own$reported)) next
        shares <- weighted_mean(sample, own$scores, own$reported)
        enter(c(name, "", "", question$categories[[option]], "everybody"), shares$n,
              shares$values[2], errors_of(shares)[2])
      }
      next
    }
    if (length(labels) == 0 && !has_mean) next
    own <- scores_of(survey, question, labels)
    shares <- weighted_mean(sample, own$scores, own$reported)
    errors <- if (name %in% fixed) rep(NA, length(shares$values)) else errors_of(shares)
    for (index in seq_along(labels)) {
      enter(c(name, "", "", labels[index], "everybody"), shares$n, shares$values[index],
            errors[index])
    }
    if (has_mean) weighted_mean_numbers(question, shares, name %in% fixed)
  }
  for (table in published_tables(published)) weighted_table(survey, sample, table)
}

# The mean of a number, or of the scores of a scale among those who did not refuse.
weighted_mean_numbers <- function(question, shares, is_fixed) {
  scale <- question$scale
  if (!is.null(scale) && length(scale$bins) == 0) {
    width <- as.numeric(scale$upper) - as.numeric(scale$lower)
    mean <- as.numeric(scale$lower) + width * shares$values[2]
    error <- width * errors_of(shares)[2]
  } else {
    size <- answers_of(question)
    first <- seq_len(size)
    scores <- if (is.null(scale)) first else bins_of(scale)$middles
    values <- shares$values[first]
    mean <- sum(scores * values) / sum(values)
    slopes <- (scores - mean) / sum(values)
    error <- sqrt(max(slopes %*% shares$covariance[first, first] %*% slopes, 0))
  }
  enter(c(question$id, "", "", "mean", "number"), shares$n, mean, if (is_fixed) NA else error)
}

# The share of each cell, the mean of the product of both scores, and of each answer in the group.
weighted_table <- function(survey, sample, table) {
  asked <- function(name) Filter(function(each) each$id == name, survey$newest$questions)[[1]]
  groups <- scores_of(survey, asked(table$group), table$groups)
  answers <- scores_of(survey, asked(table$outcome), table$answers)
  there <- groups$reported & answers$reported
  size <- length(table$answers)
  cells <- do.call(cbind, lapply(seq_along(table$groups), function(g) {
    groups$scores[, g] * answers$scores
  }))
  shares <- weighted_mean(sample, cells, there)
  for (g in seq_along(table$groups)) {
    places <- (g - 1) * size + seq_len(size)
    ratios <- ratios_of(shares$values, shares$covariance, places)
    for (a in seq_len(size)) {
      key <- c(table$outcome, table$group, table$groups[g], table$answers[a])
      enter(c(key, "everybody"), shares$n, shares$values[places[a]], errors_of(shares)[places[a]])
      enter(c(key, "group"), shares$n, ratios[a, 1], ratios[a, 2])
    }
  }
}

# --- networks -------------------------------------------------------------------------------------

# The statistics of a network, the densities of groups, and the distribution of degrees: one bit of
# each member about each other; `asked`: who was asked about whom; p and q: the chances of a one
# where there is a tie, and where there is none.
network_numbers <- function(survey, question) {
  name <- question$id
  roster <- survey$newest$roster
  codes <- unlist(roster$codes)
  device <- Filter(function(each) each$id == name, survey$newest$devices)[[1]]
  size <- length(codes)
  asked <- bits <- matrix(0, size, size)
  sent <- as.matrix(survey$reports[paste(name, codes, sep = ".")])
  # Empty or less than 0: no report, with the reason; so is the cell of the sender.
  for (row in which(rowSums(sent == "0" | sent == "1") > 0)) {
    place <- match(survey$reports$member[row], codes)
    bits[place, ] <- ifelse(sent[row, ] == "1", 1, 0)
    asked[place, -place] <- 1
  }
  reporters <- sum(rowSums(asked) > 0)
  if (reporters < max(5, survey$threshold)) return()
  ties <- list(asked = asked, bits = bits, n = size,
               p = device$table$one / device$table$denominator,
               q = device$table$zero / device$table$denominator)
  statistics <- if (question$directed) directed_statistics(ties) else undirected_statistics(ties)
  for (label in names(statistics)) {
    numbers <- statistics[[label]]
    enter(c(name, "", "", label, "network"), reporters, numbers[1], numbers[2], numbers[3],
          numbers[4])
  }
  densities(ties, question, roster, reporters)
  rows <- survey$published[survey$published$question == name &
                             survey$published$share_of == "members", ]
  for (answer in rows$answer) {
    kind <- sub(" .*", "", answer)
    ends <- strsplit(sub(".* ", "", answer), "-")[[1]]
    shares <- likeliest_degrees(ties, kind)
    highest <- if (length(ends) > 1) as.integer(ends[2]) else length(shares) - 1
    value <- sum(shares[seq(as.integer(ends[1]), highest) + 1])
    enter(c(name, "", "", answer, "members"), reporters, value)
  }
}

# A count with its error and its interval, all true values x that differ from it by less than z of
# their own errors: (x - value)^2 <= z^2 (variance + slope (x - value)), cut to what can be.
count_of <- function(value, variance, highest, slope = 0, least = 0) {
  variance <- max(variance, least)
  bend <- Z^2 * slope / 2
  reach <- sqrt(max(bend^2 + Z^2 * variance, 0))
  ends <- pmin(pmax(value + bend + c(-reach, reach), 0), highest)
  c(value, sqrt(max(variance, 0)), ends)
}

# A ratio of two counts, cut to 0 to 1.
ratio_numbers <- function(over, under, moments) {
  inside <- function(value) pmin(pmax(value, 0), 1)
  ends <- inside(fieller(over, under, pmax(moments, c(0, -Inf, 0))))
  if (under <= 0) return(c(NA, NA, ends))
  ratio <- over / under
  square <- moments[1] - 2 * ratio * moments[2] + ratio^2 * moments[3]
  c(inside(ratio), sqrt(max(square, 0)) / under, ends)
}

# The variance of degrees without that of the noise. `ends`: in how many degrees a tie is.
degree_variance <- function(degrees, noise, asked, ends) {
  n <- length(degrees)
  value <- mean((degrees - mean(degrees))^2 - noise) + ends * sum(noise) / n^2
  slope <- 4 * mean(noise) / n
  squares <- 2 * mean(noise^2) / n
  count_of(value, slope * value + squares, max(asked)^2 / 4, slope, squares)
}

# The score of each tie by so many reports of which so many say one: mean 1 of a tie, 0 of none. And
# the estimated variance of each, and what a tie adds to that.
scores_of_ties <- function(times, ones, ties) {
  there <- (times > 0) * 1
  safe <- pmax(times, 1)
  gap <- ties$p - ties$q
  base <- there * ties$q * (1 - ties$q) / gap^2 / safe
  slope <- there * ties$p * (1 - ties$p) / gap^2 / safe - base
  score <- there * (ones / safe - ties$q) / gap
  list(there = there, score = score, variance = base + slope * score, base = base, slope = slope)
}

counts_of_ties <- function(value, variance, asked, slope, pairs, per_person, n) {
  count <- count_of(value, variance, asked, slope)
  found <- list(ties = count, density = count / asked, mean_degree = per_person * count / n)
  if (asked < pairs) {
    found$ties_of_everybody <- count * pairs / asked
    found$mean_degree_of_everybody <- count * (n - 1) / asked
  }
  found
}

undirected_statistics <- function(ties) {
  n <- ties$n
  times <- ties$asked + t(ties$asked)
  ones <- ties$bits + t(ties$bits)
  scores <- scores_of_ties(times, ones, ties)
  w <- scores$score
  v <- scores$variance
  there <- scores$there
  asked <- sum(there) / 2
  found <- counts_of_ties(sum(w) / 2, sum(v) / 2, asked, sum(scores$slope) / sum(there),
                          n * (n - 1) / 2, 2, n)
  found$degree_variance <- degree_variance(rowSums(w), rowSums(v), rowSums(there), 2)
  paths <- function(a, b) {
    product <- (a %*% b) * there
    product + t(product)
  }
  # Of each pair the sums over third people: products of the other two scores, and squares.
  squares <- w * w
  closing <- paths(w, w) / 2
  closing_squares <- paths(squares, squares) / 2
  products <- w * closing
  triangles <- sum(products) / 6
  triangle_variance <- sum(squares * closing_squares - products) / 6 +
    sum(v * (closing^2 - closing_squares)) / 2
  adjacent <- paths(w, there)
  adjacent_squares <- paths(squares, there)
  two_paths <- sum(w * adjacent) / 4
  path_variance <- sum(squares * adjacent_squares - w * adjacent) / 4 +
    sum(v * (adjacent^2 - adjacent_squares)) / 2
  both <- sum(w * (closing_squares - closing)) / 2 +
    sum(v * (closing * adjacent - paths(squares, w))) / 2
  third <- paths(there, there)
  path_slope <- sum(v * third^2) / max(sum(third) / 2, 1)
  most <- n * (n - 1) * (n - 2) / 6
  found$two_paths <- count_of(two_paths, path_variance, 3 * most, path_slope)
  # The variance of triangles is not below what is expected if ties are as probable as reported.
  density <- min(max(sum(w) / 2, 1), asked - 0.5) / asked
  tie <- density * ties$p^ones * (1 - ties$p)^(times - ones)
  none <- (1 - density) * ties$q^ones * (1 - ties$q)^(times - ones)
  a <- there * tie / (tie + none)
  spread <- there * (scores$base + scores$slope * a)
  closed <- paths(a, a) / 2
  moment <- a + spread
  own <- moment * paths(moment, moment) / 2 - a * closed
  shared <- (closed^2 - paths(a * a, a * a) / 2) * spread
  expected <- sum(own) / 6 + sum(shared) / 2
  found$triangles <- count_of(triangles, triangle_variance, most, 0, expected)
  moments <- c(9 * triangle_variance, 3 * both, path_variance)
  found$clustering <- ratio_numbers(3 * triangles, two_paths, moments)
  found
}

directed_statistics <- function(ties) {
  n <- ties$n
  asked <- ties$asked
  scores <- scores_of_ties(asked, ties$bits, ties)
  z <- scores$score
  v <- scores$variance
  found <- counts_of_ties(sum(z), sum(v), sum(asked), sum(scores$slope) / sum(asked),
                          n * (n - 1), 1, n)
  both <- asked * t(asked)
  mine <- z * both
  noise <- v * both
  mutual <- sum(mine * t(mine)) / 2
  variance <- sum(mine^2 * t(mine)^2 - mine * t(mine)) / 2
  found$mutual_ties <- count_of(mutual, variance, sum(both) / 2)
  moments <- c(4 * variance, 2 * sum(noise * t(mine)), sum(noise))
  found$reciprocity <- ratio_numbers(2 * mutual, sum(mine), moments)
  found$out_degree_variance <- degree_variance(rowSums(z), rowSums(v), rowSums(asked), 1)
  found$in_degree_variance <- degree_variance(colSums(z), colSums(v), colSums(asked), 1)
  c(found, directed_triads(ties, z, v))
}

# Ties i to j to k, those with i to k, and cycles.
directed_triads <- function(ties, z, v) {
  asked <- ties$asked
  back <- t(z)
  pattern <- (asked + t(asked) > 0) * 1
  paths <- function(a, b) (a %*% b) * pattern
  product <- paths(v, v)
  around <- z + z * back
  own <- sum((z + v) * product) + sum(paths(t(v), v) * around) + sum(paths(v, t(v)) * around)
  slope <- paths(z, z)
  triples <- sum(z * slope)
  two_paths <- sum(asked * slope)
  slope <- slope + paths(z, back) + paths(back, z)
  square <- z * z
  mutual <- z * back
  less <- square - z
  squares <- paths(square, square) + paths(square, t(square)) + paths(t(square), square)
  repeated <- sum(v * squares) + 2 * sum(v * (paths(less, mutual) + paths(mutual, less)))
  variance <- own + sum(v * (slope^2 + slope)) - repeated
  steps <- paths(asked, back) + paths(back, asked)
  path_variance <- sum(asked * product) + sum(v * (steps^2 + steps)) -
    sum(v * (paths(asked, t(square)) + paths(t(square), asked)))
  change <- back - t(square)
  covariance <- sum(z * product) + sum(v * slope * steps) +
    sum(v * (paths(z, change) + paths(change, z)))
  through <- paths(z, z)
  through_square <- paths(square, square)
  cycles <- sum(back * through) / 3
  cycle_variance <- sum(t(square) * through_square) / 3 - cycles +
    sum(t(v) * (through^2 - through_square))
  third <- paths(asked, t(asked)) + paths(t(asked), asked)
  path_slope <- 2 * sum(v * third^2) / max(sum(asked * third), 1)
  most <- ties$n * (ties$n - 1) * (ties$n - 2) / 6
  list(two_paths = count_of(two_paths, path_variance, 6 * most, path_slope),
       transitive_triples = count_of(triples, variance, 6 * most),
       cycles = count_of(cycles, cycle_variance, 2 * most),
       transitivity = ratio_numbers(triples, two_paths, c(variance, covariance, path_variance)))
}

# The share of the pairs of each two groups that are tied.
densities <- function(ties, question, roster, reporters) {
  groups <- unlist(roster$groups)
  group_of <- unlist(roster$group_of)
  times <- ties$asked
  ones <- ties$bits
  if (!question$directed) {
    upper <- upper.tri(times) * 1
    times <- (times + t(times)) * upper
    ones <- (ones + t(ones)) * upper
  }
  scores <- scores_of_ties(times, ones, ties)
  for (first in seq_along(groups)) for (second in seq_along(groups)) {
    place <- outer(group_of == first - 1, group_of == second - 1)
    if (!question$directed) place <- pmax(place, t(place))
    place <- place == 1
    asked <- sum(scores$there[place])
    if (asked == 0) next
    count <- count_of(sum(scores$score[place]), sum(scores$variance[place]), asked,
                      sum(scores$slope[place]) / asked) / asked
    enter(c(question$id, "", groups[first], groups[second], "pairs"), reporters, count[1], count[2],
          count[3], count[4])
  }
}

# The shares of members by number of ties under which the ones are most likely. Of a member with d
# ties among `once` others on whom one report came and `twice` on whom two did, any d of them are
# equally likely to be the ties.
likeliest_degrees <- function(ties, kind) {
  if (kind == "undirected") {
    times <- ties$asked + t(ties$asked)
    once <- rowSums(times == 1)
    twice <- rowSums(times == 2)
    ones <- rowSums(ties$bits + t(ties$bits))
  } else {
    sums <- if (kind == "out") rowSums else colSums
    once <- sums(ties$asked)
    twice <- 0 * once
    ones <- sums(ties$bits)
  }
  most <- max(once + twice)
  some <- which(once + twice > 0)
  keys <- paste(once, twice)
  tables <- list()
  for (person in some) if (is.null(tables[[keys[person]]])) {
    tables[[keys[person]]] <- chances_of_ones(once[person], twice[person], most, ties)
  }
  rows <- t(vapply(some, function(person) tables[[keys[person]]][ones[person] + 1, ],
                   numeric(most + 1)))
  likeliest_mixture(rows / apply(rows, 1, max))
}

# The chance of each number of ones, in rows, by the number of ties, in columns.
chances_of_ones <- function(once, twice, most, ties) {
  reports <- once + 2 * twice
  of_ties <- lapply(0:reports, function(true) {
    # Ones of so many reports about a tie, and of the others.
    first <- dbinom(0:true, true, ties$p)
    second <- dbinom(0:(reports - true), reports - true, ties$q)
    product <- outer(first, second)
    as.vector(tapply(product, row(product) + col(product), sum))
  })
  chances <- matrix(0, reports + 1, most + 1)
  for (degree in 0:min(most, once + twice)) {
    for (among in max(0, degree - once):min(twice, degree)) {
      share <- dhyper(among, twice, once, degree)
      chances[, degree + 1] <- chances[, degree + 1] + share * of_ties[[degree + among + 1]]
    }
  }
  chances
}

# The shares of the columns under which the rows are most likely (Wang 2007). Each step is the
# least-squares problem that the likelihood looks like nearby; it ends where no other shares can
# gain more than a tiny log-likelihood.
likeliest_mixture <- function(rows) {
  shares <- rep(1 / ncol(rows), ncol(rows))
  likelihood <- function(at) sum(log(rows %*% at))
  for (round in 1:500) {
    slopes <- rows / as.vector(rows %*% shares)
    if (max(colMeans(slopes)) - 1 < 1e-11) break
    # Shares that sum to one and come nearest to slopes %*% shares = 2 (Dax 1990).
    aim <- nonnegative(rbind(slopes - 2, 1), c(rep(0, nrow(rows)), 1))
    step <- aim / sum(aim) - shares
    length <- 1
    before <- likelihood(shares)
    while (length > 1e-12 && likelihood(shares + length * step) < before) length <- length / 2
    shares <- pmax(shares + length * step, 0)
    shares <- shares / sum(shares)
  }
  shares
}

# Least squares without negative unknowns (Lawson and Hanson 1974, chapter 23).
nonnegative <- function(table, target) {
  size <- ncol(table)
  found <- rep(0, size)
  free <- rep(FALSE, size)
  for (round in seq_len(10 * size)) {
    slope <- as.vector(crossprod(table, target - table %*% found))
    slope[free] <- -Inf
    if (max(slope) <= 1e-13) break
    free[which.max(slope)] <- TRUE
    repeat {
      trial <- rep(0, size)
      trial[free] <- qr.coef(qr(table[, free, drop = FALSE], tol = 1e-14), target)
      trial[is.na(trial)] <- 0
      negative <- free & trial <= 0
      if (!any(negative)) break
      reach <- min(found[negative] / (found[negative] - trial[negative]))
      found <- found + reach * (trial - found)
      free <- free & found > 1e-15
      found[!free] <- 0
    }
    found <- trial
  }
  found
}

# --- comparing ------------------------------------------------------------------------------------

NAMES <- c("question", "group_by", "group", "answer", "share_of")
NUMBERS <- c("n", "estimate", "standard_error", "low", "high")

# How far a number is from the published one; NA if it is not compared, Inf if one is not there.
difference <- function(name, ours, theirs) {
  published <- theirs[[name]]
  if (name == "standard_error" && is.na(published) && !is.na(theirs$low) && !is.na(theirs$high)) {
    # Where the formula gives nothing beside an interval, nothing is published.
    small <- is.na(ours) || ours <= VANISHED * max(theirs$high - theirs$low, 1)
    return(if (small) 0 else Inf)
  }
  if (is.na(ours) && is.na(published)) return(0)
  if (name %in% c("low", "high") && is.na(ours)) return(NA)
  if (is.na(ours) || is.na(published)) return(Inf)
  abs(ours - published)
}

# Compare each published row; whether all that was computed is the same. `texts`: the questions
# whose rows are about short texts.
compare <- function(label, names, published, texts, file) {
  largest <- setNames(rep(0, length(NUMBERS)), NUMBERS)
  good <- intervals <- left_out <- 0
  wrong <- character()
  for (row in seq_len(nrow(published))) {
    key <- unlist(published[row, names])
    about <- paste(key[key != ""], collapse = " / ")
    if (key[1] %in% texts) {
      left_out <- left_out + 1
      next
    }
    ours <- mget(paste(key, collapse = SEPARATOR), envir = RESULTS, ifnotfound = list(NULL))[[1]]
    if (is.null(ours)) {
      wrong <- c(wrong, paste0("  not recomputed: ", about))
      next
    }
    theirs <- lapply(published[row, NUMBERS], function(text) {
      if (text == "") NA else as.numeric(text)
    })
    apart <- mapply(difference, NUMBERS, ours, MoreArgs = list(theirs = theirs))
    allowed <- ROUNDING + RELATIVE * abs(ifelse(is.na(unlist(theirs)), 0, unlist(theirs)))
    off <- !is.na(apart) & apart > allowed
    for (index in which(off)) {
      wrong <- c(wrong, sprintf("  %s: %s is %s, published %s", about, NUMBERS[index],
                                format(ours[index], digits = 15), published[row, NUMBERS[index]]))
    }
    if (!any(off)) good <- good + 1
    if (!is.na(ours[4])) intervals <- intervals + 1
    largest <- pmax(largest, ifelse(off, 0, apart), na.rm = TRUE)
    line <- c(label, paste(key, collapse = " | "), format(ours, digits = 17, trim = TRUE))
    line[line == "NA"] <- ""
    cat(paste0("\"", gsub("\"", "\"\"", line), "\"", collapse = ","), "\n", sep = "", file = file)
  }
  cat(sprintf("%s: %d of %d rows are the same, %d with an interval\n", label, good,
              nrow(published) - left_out, intervals))
  cat("  largest differences:", paste(NUMBERS, sprintf("%.1e", largest), collapse = ", "), "\n")
  if (left_out) cat("  not recomputed in R: shares of short texts,", left_out, "rows\n")
  if (length(wrong)) cat(wrong, sep = "\n")
  length(wrong) == 0
}

main <- function(arguments) {
  folder <- if (length(arguments)) arguments[1] else "."
  reports <- rows_of(file_of(folder, "reports"))
  published <- rows_of(file_of(folder, "estimates"))
  if (is.null(reports) || is.null(published)) {
    stop("reports.csv and estimates.csv are not both in ", folder)
  }
  survey <- survey_of(waves_of(folder), reports, published)
  file <- file(file.path(folder, "recomputed-by-R.csv"), "w", encoding = "UTF-8")
  on.exit(close(file))
  cat(paste(c("file", "row", NUMBERS), collapse = ","), "\n", sep = "", file = file)
  texts <- character()
  for (question in survey$newest$questions) {
    if (question$control == "text") texts <- c(texts, question$id)
    else if (question$control == "roster") network_numbers(survey, question)
    else if (question$control == "ranking") ranking_numbers(survey, question)
    else question_numbers(survey, question)
  }
  tables(survey)
  same <- compare("estimates", NAMES, published, texts, file)
  weighted <- rows_of(file_of(folder, "weighted"))
  if (!is.null(weighted) && nrow(weighted)) {
    rm(list = ls(RESULTS), envir = RESULTS)
    weighted_numbers(survey, weighted)
    same <- compare("weighted", NAMES, weighted, texts, file) && same
  }
  combined <- rows_of(file_of(folder, "combinations"))
  if (!is.null(combined) && nrow(combined)) {
    combined_answers(survey)
    same <- compare("combinations", c("group", "codes"), combined, character(), file) && same
  }
  if (same) 0 else 1
}

quit(status = main(commandArgs(trailingOnly = TRUE)))
