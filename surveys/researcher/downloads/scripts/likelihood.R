# The likelihood of a release's reports, to fit your own models of the answers (docs/mathematics.md, M40).
# Needs only base R, and recompute.R in the same folder.
#
#     source("likelihood.R")
#     sample <- sample_of(read_microdata("microdata.csv"), read_codebook("codebook.json"), c("smokes", "often"))
#     optim(start, function(b) -log_likelihood(sample, shares(b)))
#
# A model gives a positive share for each combination of answers; the shares add up to 1. The rows of sample$options are
# the combinations, with options counted from 0. If your model is easy to fit to exact counts, use em(sample, fitted).

source("recompute.R")

# Return the sample of whole questions, by their keys: the distinct reports' counts, and the chance of each report under
# each combination, up to a factor per report.
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

# Return the chance of each report under each option, up to a factor per report.
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

# Return the same for questions of one draw: a report is more likely under a tuple of answers that it lists in full.
chances_together <- function(microdata, own) {
  kept <- own[[1]]$table$keep / RESOLUTION
  all <- matrix(1, nrow(microdata), 1)
  for (asked in own) {
    listed <- side(microdata, asked)$sent[, -1, drop = FALSE] * length(asked$options) / asked$table$sizes[[1]]
    all <- do.call(cbind, lapply(seq_len(ncol(all)), function(k) all[, k] * listed))
  }
  1 - kept + kept * all
}

# Return the log-likelihood, up to a constant.
log_likelihood <- function(sample, shares) sum(sample$counts * log(sample$chances %*% shares))

# Return the derivative of the log-likelihood by each share.
slope <- function(sample, shares) drop(crossprod(sample$chances, sample$counts / drop(sample$chances %*% shares)))

# Return the expected number of respondents with each combination; the numbers add up to the number of reports.
expected_counts <- function(sample, shares) shares * slope(sample, shares)

# Return a model's maximum likelihood shares, by EM (Dempster, Laird and Rubin 1977). `fitted` returns the model's shares
# for exact counts, which may be fractions. EM ends when no share changes by more than `close`.
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
