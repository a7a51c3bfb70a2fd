# How likely a release's reports are, for models of your own of the answers behind them (docs/mathematics.md, M40).
# Needs base R alone, and recompute.R beside it.
#
#     source("likelihood.R")
#     sample <- sample_of(read_microdata("microdata.csv"), read_codebook("codebook.json"), c("smokes", "often"))
#     optim(start, function(b) -log_likelihood(sample, shares(b)))
#
# A model gives shares, above 0 and 1 in all, of the combinations of answers: the rows of sample$options, which count
# options from 0. For a model that is easily fitted to clear counts there is em(sample, fitted).

source("recompute.R")

# Whole questions, by their keys: which reports there are, how often, and how likely each combination makes them, but for
# a factor of each report.
sample_of <- function(microdata, codebook, keys) {
  way <- one_way(questions_of(codebook, keys), microdata, codebook)
  own <- way$own
  microdata <- way$microdata
  columns <- unlist(lapply(own, function(asked) vapply(asked$microdata$columns, function(column) column$name, "")))
  report <- do.call(paste, microdata[columns])
  first <- !duplicated(report)
  counts <- as.numeric(table(report)[report[first]])
  microdata <- microdata[first, , drop = FALSE]
  sizes <- vapply(own, function(asked) length(asked$options), 0)
  options <- as.matrix(expand.grid(rev(lapply(sizes, function(d) seq_len(d) - 1))))[, length(sizes):1, drop = FALSE]
  colnames(options) <- keys
  chances <- 1
  for (places in by_draw(own)) {
    each <- if (length(places) == 1) chances_of(microdata, own[[places]]) else chances_together(microdata, own[places])
    combination <- Reduce(function(at, place) at * sizes[place] + options[, place], places, 0)
    chances <- chances * each[, combination + 1, drop = FALSE]
  }
  list(options = options, counts = counts, chances = chances)
}

# The chance of each report for each option.
chances_of <- function(microdata, asked) {
  own <- side(microdata, asked)
  sent <- own$sent[, -1, drop = FALSE]
  if (!is.null(own$phi)) return(sent %*% t(solve(own$phi)))
  method <- asked$estimation$methods[[1]]
  if ("flip" %in% names(asked$table))
    return(ifelse(sent == 1, method$a / method$b, (1 - method$a) / (1 - method$b)))
  size <- sum(sent[1, ])
  ifelse(sent == 1, method$a / size, (1 - method$a) / (ncol(sent) - size))
}

# The same of the tuples of questions that one draw randomized: a report that lists all of a tuple has more chances.
chances_together <- function(microdata, own) {
  kept <- own[[1]]$table$keep / RESOLUTION
  all <- matrix(1, nrow(microdata), 1)
  for (asked in own) {
    listed <- side(microdata, asked)$sent[, -1, drop = FALSE] * length(asked$options) / asked$table$sizes[[1]]
    all <- do.call(cbind, lapply(seq_len(ncol(all)), function(k) all[, k] * listed))
  }
  1 - kept + kept * all
}

# But for a constant.
log_likelihood <- function(sample, shares) sum(sample$counts * log(sample$chances %*% shares))

# Its slope by each share.
slope <- function(sample, shares) drop(crossprod(sample$chances, sample$counts / drop(sample$chances %*% shares)))

# How many respondents with each combination are expected behind the reports: they add up to their number.
expected_counts <- function(sample, shares) shares * slope(sample, shares)

# The shares of greatest likelihood in a model, by EM (Dempster, Laird and Rubin 1977): `fitted` gives its shares for clear
# counts of the combinations, which need not be whole. It ends when no share moves by more than `close`.
em <- function(sample, fitted, close = 1e-9) {
  k <- nrow(sample$options)
  shares <- fitted(rep(sum(sample$counts) / k, k))
  for (turn in 1:20000) {
    before <- shares
    shares <- fitted(expected_counts(sample, shares))
    if (max(abs(shares - before)) <= close) break
  }
  shares
}
