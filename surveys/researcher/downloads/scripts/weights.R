# A release's published weighted or corrected shares again, from its reports. Needs base R alone, and recompute.R and
# models.R beside it.
#
#     Rscript weights.R microdata.csv codebook.json weighted.json ...
#
# compares shares, means (of scales and histograms their estimates) and standard errors with the published ones. The document is one of weighted.json (one known margin),
# raking.json (several) and corrected.json (attention), of whole questions; the formulas are those of docs/mathematics.md,
# M41 and M42.

source("models.R")

deviation <- function(u) sqrt(colMeans(sweep(u, 2, colMeans(u))^2) / nrow(u))

known_shares <- function(strata) {
  shares <- vapply(strata, function(stratum) as.numeric(stratum$share), 0)
  shares / sum(shares)
}

# By one known margin: own are its question and the weighted one.
weighted_shares <- function(own, codebook, microdata, document) {
  known <- known_shares(document$strata)
  stratum <- scores_of(microdata, own[[1]])
  phi <- scores_of(microdata, own[[2]])
  n <- nrow(phi)
  d <- ncol(phi)
  jointly <- draw_of(codebook, own[[1]]$key) == draw_of(codebook, own[[2]]$key)
  if (jointly) {
    pairs <- scores_together(microdata, own)
    joint <- matrix(colMeans(pairs), length(known), byrow = TRUE)
    stratum <- sapply(seq_along(known), function(s) rowSums(pairs[, (s - 1) * d + seq_len(d), drop = FALSE]))
  } else joint <- crossprod(stratum, phi) / n
  share <- ifelse(known > 0, colMeans(stratum), Inf)
  factor <- known / share
  within <- joint / share
  estimates <- colMeans(phi) + drop((factor - 1) %*% joint)
  if (jointly) {
    u <- sapply(seq_len(d), function(j) {
      pairs[, (seq_along(known) - 1) * d + j, drop = FALSE] %*% factor - stratum %*% (factor * within[, j])
    })
    return(list(estimates = estimates, errors = deviation(u)))
  }
  squares <- sapply(seq_len(d), function(j) second_moment(own[[1]], stratum, phi[, j], factor, within[, j]))
  means <- estimates - drop(factor %*% (within * colMeans(stratum)))
  list(estimates = estimates, errors = sqrt((squares - means^2) / n))
}

# How often two of d symbols come together, where one of them is the truth and where none is; and one of them.
pair_of <- function(question, d) {
  method <- question$estimation$methods[[1]]
  a <- method$a
  b <- method$b
  m <- unlist(question$table$sizes)
  if (is.null(m)) return(list(among = a * b, neither = b^2, a = a, b = b))
  rest <- (d - 1) * max(d - 2, 1)
  list(among = a * (m - 1) / (d - 1), neither = (a * (m - 1) * (m - 2) + (1 - a) * m * (m - 1)) / rest, a = a, b = b)
}

# The mean square of phi(j) + sum of (f - 1) phi(s) phi(j) - f h phi(s). Where several symbols of the stratum come at once
# the product of two has the mean that M13 says, given phi(j).
second_moment <- function(by, stratum, phi, factor, within) {
  u <- phi + phi * drop(stratum %*% (factor - 1)) - drop(stratum %*% (factor * within))
  square <- mean(u^2)
  if (length(by$microdata$columns) == 1) return(square)
  pair <- pair_of(by, ncol(stratum))
  a <- pair$a
  b <- pair$b
  symbols <- stratum * (a - b) + b
  for (value in unique(phi)) {
    there <- phi == value
    weight <- (value * (factor - 1) - factor * within) / (a - b)
    sums <- colSums(stratum[there, , drop = FALSE])
    expected <- pair$neither * sum(there) + (pair$among - pair$neither) * outer(sums, sums, "+")
    apart <- expected - crossprod(symbols[there, , drop = FALSE])
    diag(apart) <- 0
    square <- square + drop(weight %*% apart %*% weight) / length(phi)
  }
  square
}

# By several known margins: own are their questions and the weighted one, the last.
raked_shares <- function(own, codebook, microdata, document) {
  sizes <- vapply(own, function(asked) length(asked$options), 0)
  options <- as.matrix(expand.grid(rev(lapply(sizes, function(d) seq_len(d) - 1))))[, length(sizes):1, drop = FALSE]
  draw <- vapply(own, function(asked) draw_of(codebook, asked$key), 0L)
  d <- sizes[length(sizes)]
  strata <- both <- 1
  for (one in unique(draw)) {
    places <- which(draw == one)
    phi <- scores_at(microdata, own, places)
    if (!length(own) %in% places) phi <- phi + (1 - rowSums(phi)) / ncol(phi)
    cell <- phi[, Reduce(function(at, place) at * sizes[place] + options[, place], places, 0) + 1]
    alone <- identical(places, length(own))
    if (!alone) strata <- strata * cell
    both <- both * cell
  }
  first <- seq(1, nrow(options), by = d)
  # The strata alone: of a question with a draw of its own without its scores, else summed over its answers.
  each <- if (alone) strata[, first, drop = FALSE] else
    sapply(first, function(at) rowSums(both[, at + seq_len(d) - 1, drop = FALSE]))
  x <- do.call(cbind, lapply(seq_len(length(sizes) - 1), function(k) {
    outer(options[first, k], seq_len(sizes[k]) - 1, "==") * 1
  }))
  wanted <- unlist(lapply(document$margins, function(margin) known_shares(margin$strata)))
  shares <- colMeans(each)
  joint <- matrix(colMeans(both), length(first), byrow = TRUE)
  factor <- rep(1, length(first))
  for (turn in 1:1000) {
    before <- factor
    for (k in seq_along(wanted)) {
      there <- x[, k] > 0
      factor[there] <- if (wanted[k] == 0) 0 else factor[there] * wanted[k] / sum(x[, k] * factor * shares)
    }
    if (max(abs(factor - before)) <= 1e-13 * max(factor)) break
  }
  # Columns that say nothing new are left out: what is fitted is the same.
  parts <- qr(sqrt(abs(factor * shares)) * x)
  x <- x[, parts$pivot[seq_len(parts$rank)], drop = FALSE]
  fitted <- x %*% solve(crossprod(x, factor * shares * x), crossprod(x, factor * joint))
  u <- sapply(seq_len(d), function(j) {
    drop(both[, first + j - 1, drop = FALSE] %*% factor) - drop(each %*% (factor * fitted[, j]))
  })
  list(estimates = drop(factor %*% joint), errors = deviation(u))
}

# By an attention question: own are that and the corrected one.
corrected_shares <- function(own, codebook, microdata, document) {
  right <- match(document$right, texts(own[[1]]$options))
  anchor <- scores_of(microdata, own[[1]])[, right]
  phi <- scores_of(microdata, own[[2]])
  d <- ncol(phi)
  c <- length(own[[1]]$options) / (length(own[[1]]$options) - 1)
  attention <- c * (mean(anchor) - (1 - 1 / c))
  s <- (colMeans(phi) - 1 / d) / attention
  u <- phi - 1 / d - outer(c * (anchor - (1 - 1 / c)), s)
  list(estimates = 1 / d + s, errors = sqrt(colMeans(u^2) / nrow(phi)) / attention)
}

find_shares <- function(document, codebook, microdata) {
  known <- vapply(document$margins, function(margin) margin$key, "")
  keys <- c(document$anchor, known, document$by, document$question)
  own <- lapply(keys, function(key) Filter(function(each) each$key == key, codebook$questions)[[1]])
  if (any(vapply(own, function(asked) !is.null(asked$asked), TRUE))) {
    stop("several forms ask one of these questions: that is not computed again here", call. = FALSE)
  }
  for (asked in own) microdata <- asked_in(microdata, codebook, asked)
  own <- lapply(own, function(asked) { if (is.null(asked$options)) asked$options <- list("low", "high"); asked })
  kind <- if (!is.null(document$anchor)) corrected_shares else if (length(known)) raked_shares else weighted_shares
  c(kind(own, codebook, microdata, document), list(question = own[[length(own)]]))
}

# The mean that follows from shares, of bins two, and what is published of it; of one bit the standard errors as well.
mean_pairs <- function(found, stated) {
  question <- found$question
  if (!is.null(question$low)) {
    low <- as.numeric(question$low)
    width <- as.numeric(question$high) - low
    return(list(c(low + width * found$estimates[2], width * found$errors[2]), c(stated$estimate, stated$standard_error)))
  }
  k <- length(question$options) - isTRUE(question$prefer_not_to_say)
  edges <- vapply(question$edges, as.numeric, 0)
  before <- identical(question$limits, "whole")  # then a bin ends one before the next edge
  ends <- if (length(edges)) list(edges[seq_len(k)], edges[seq_len(k) + 1] - before) else list(seq_len(k))
  centre <- mean(unlist(ends))
  among <- found$estimates[seq_len(k)] / (1 - sum(found$estimates[-seq_len(k)]))
  means <- vapply(ends, function(own) centre + sum((own - centre) * among), 0)
  list(means, as.numeric(c(stated$estimate, stated$estimate_high)))
}

# How far the published numbers are from those that were found, in standard errors, each.
distances <- function(found, published) {
  estimates <- vapply(published$shares, function(row) as.numeric(row$estimate), 0)
  errors <- vapply(published$shares, function(row) as.numeric(row$standard_error), 0)
  far <- if (length(errors)) c(abs(found$estimates - estimates), abs(found$errors - errors)) / c(errors, errors)
  if (is.null(published$mean)) return(far)
  pairs <- mean_pairs(found, published$mean)
  c(far, abs(pairs[[1]] - pairs[[2]]) / published$mean$standard_error)
}

main <- function(arguments) {
  if (length(arguments) < 3) stop("Rscript weights.R microdata.csv codebook.json weighted.json ...", call. = FALSE)
  microdata <- read_microdata(arguments[1])
  codebook <- read_codebook(arguments[2])
  agree <- vapply(arguments[-(1:2)], function(path) {
    published <- read_json(path)
    far <- distances(find_shares(published, codebook, microdata), published)
    cat(sprintf("%d numbers; the largest difference is %.2g standard errors.\n", length(far), max(far)))
    max(far) <= ENOUGH
  }, TRUE)
  quit(status = as.integer(!all(agree)))
}

if (sys.nframe() == 0) main(commandArgs(trailingOnly = TRUE))
