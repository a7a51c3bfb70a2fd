# Recomputes a release's published weighted or corrected shares from its reports. Needs only base R, and recompute.R and
# models.R in the same folder.
#
#     Rscript weights.R microdata.csv codebook.json weighted.json ...
#
# compares shares, means (for scales and histograms, the estimates) and standard errors with the published ones. A document
# is weighted.json (one known margin), raking.json (several margins) or corrected.json (attention), of whole questions. The
# formulas are in docs/mathematics.md: M41, M42 and, for questions of several forms, M45.

source("models.R")

deviation <- function(u) sqrt(colMeans(sweep(u, 2, colMeans(u))^2) / nrow(u))

known_shares <- function(strata) {
  shares <- vapply(strata, function(stratum) as.numeric(stratum$share), 0)
  shares / sum(shares)
}

# The reports of the forms that randomize two questions in one way, for each way: scores of either one's options, of the
# cells where one draw has both, and the weight of a report beside those of other forms.
parts_of <- function(own, microdata, codebook) {
  parts <- lapply(ways_of(own, microdata, codebook), function(way) {
    jointly <- length(by_draw(way$own)) == 1
    d <- lengths(lapply(way$own, function(asked) asked$options))
    kept <- if (jointly) way$own[[1]]$table$keep / RESOLUTION else 1
    part <- list(own = way$own, n = nrow(way$microdata), kept = kept, worth = information(way$own, kept))
    if (!part$n) return(part)
    if (!jointly) {
      part[c("first", "second")] <- lapply(way$own, function(asked) scores_of(way$microdata, asked))
      part$joint <- crossprod(part$first, part$second) / part$n
      return(part)
    }
    part$cells <- scores_together(way$microdata, way$own)  # the second question's options change fastest
    part$first <- part$cells %*% (rep(seq_len(d[1]), each = d[2]) == col(diag(d[1]))[rep(1, prod(d)), ])
    part$second <- part$cells %*% (rep(seq_len(d[2]), d[1]) == col(diag(d[2]))[rep(1, prod(d)), ])
    part$joint <- matrix(colMeans(part$cells), d[1], byrow = TRUE)
    part
  })
  parts <- Filter(function(part) part$n > 0, parts)
  if (!length(parts)) stop(NOT_TOGETHER, call. = FALSE)
  one_listed <- vapply(parts, function(part) {
    !is.null(part$cells) && all(vapply(part$own, function(asked) asked$table$sizes[[1]], 0) == 1)
  }, TRUE)
  kept <- vapply(parts, function(part) part$kept, 0)
  # If a report lists one option of each question, cells are weighted like any share.
  worth <- if (all(one_listed)) kept * whole_numbers(kept) else whole_numbers(vapply(parts, function(part) part$worth, 0))
  Map(function(part, own) { part$worth <- own; part }, parts, worth)
}

# Return a mean over the reports of all parts.
pooled_mean <- function(parts, of) {
  each <- vapply(parts, function(part) part$worth * part$n, 0)
  Reduce(`+`, Map(function(part, weight) weight * of(part), parts, each)) / sum(each)
}

# Return the standard errors of a pooled mean, from the mean and mean square of a report's score in each part. Every
# deviation from the mean of all is noise.
pooled_errors <- function(parts, moments) {
  each <- lapply(parts, moments)
  weights <- vapply(parts, function(part) part$worth * part$n, 0)
  mean <- Reduce(`+`, Map(function(weight, own) weight * own$mean, weights, each)) / sum(weights)
  squares <- Map(function(part, own) part$worth^2 * part$n * (own$square - 2 * own$mean * mean + mean^2), parts, each)
  sqrt(Reduce(`+`, squares)) / sum(weights)
}

# By one known margin: own are its question and the weighted one.
weighted_shares <- function(own, codebook, microdata, document) {
  parts <- parts_of(own, microdata, codebook)
  known <- known_shares(document$strata)
  d <- length(own[[2]]$options)
  joint <- pooled_mean(parts, function(part) part$joint)
  share <- ifelse(known > 0, pooled_mean(parts, function(part) colMeans(part$first)), Inf)
  factor <- known / share
  within <- joint / share
  moments <- function(part) {
    if (!is.null(part$cells)) {
      u <- sapply(seq_len(d), function(j) {
        part$cells[, (seq_along(known) - 1) * d + j, drop = FALSE] %*% factor - part$first %*% (factor * within[, j])
      })
      return(list(mean = colMeans(u), square = colMeans(u^2) + listed_together(part, factor, within)))
    }
    means <- colMeans(part$second) + drop((factor - 1) %*% part$joint) - drop(colMeans(part$first) %*% (factor * within))
    list(mean = means, square = sapply(seq_len(d), function(j)
      second_moment(part$own[[1]], part$first, part$second[, j], factor, within[, j])))
  }
  estimates <- pooled_mean(parts, function(part) colMeans(part$second)) + drop((factor - 1) %*% joint)
  list(estimates = estimates, errors = pooled_errors(parts, moments))
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

# Return what is added to the mean squares of one draw's scores where a report lists several options of the stratum: how
# often two of them are listed has the mean of M13, given the answers and whether they were kept.
listed_together <- function(part, factor, within) {
  d <- lengths(lapply(part$own, function(asked) asked$options))
  m <- vapply(part$own, function(asked) asked$table$sizes[[1]], 0)
  if (m[1] == 1) return(rep(0, d[2]))
  symbols <- Map(function(phi, asked) {
    method <- asked$estimation$methods[[1]]
    round(phi * (method$a - method$b) + method$b)
  }, part[c("first", "second")], part$own)
  beside <- (m[1] - 1) / (d[1] - 1)
  neither <- beside * (m[1] - 2) / max(d[1] - 2, 1)
  of <- function(j, value) {
    there <- symbols[[1]][symbols[[2]][, j] == value, , drop = FALSE]
    chance <- abs(1 - value - m[2] / d[2])
    weight <- if (value == 1) 1 else -(m[2] - 1) / (d[2] - m[2])
    replaced <- (1 - part$kept) * part$n * chance
    count <- nrow(there) - replaced
    truth <- (colSums(there) - replaced * m[1] / d[1] - beside * count) / (1 - beside)
    random <- replaced * m[1] * (m[1] - 1) / (d[1] * (d[1] - 1))
    apart <- neither * count + (beside - neither) * outer(truth, truth, "+") + random - crossprod(there)
    diag(apart) <- 0
    own <- factor * (weight - within[, j]) * (d[1] - 1) / (d[1] - m[1]) / part$kept
    sum(own * (apart %*% own)) / part$n
  }
  vapply(seq_len(d[2]), function(j) of(j, 0) + of(j, 1), 0)
}

# By several known margins: own are their questions and the weighted one, the last.
raked_shares <- function(own, codebook, microdata, document) {
  way <- one_way(own, microdata, codebook)
  own <- way$own
  microdata <- way$microdata
  sizes <- vapply(own, function(asked) length(asked$options), 0)
  options <- as.matrix(expand.grid(rev(lapply(sizes, function(d) seq_len(d) - 1))))[, length(sizes):1, drop = FALSE]
  d <- sizes[length(sizes)]
  strata <- both <- 1
  for (places in by_draw(own)) {
    phi <- scores_at(microdata, own, places)
    if (!length(own) %in% places) phi <- phi + (1 - rowSums(phi)) / ncol(phi)
    cell <- phi[, Reduce(function(at, place) at * sizes[place] + options[, place], places, 0) + 1]
    alone <- identical(places, length(own))
    if (!alone) strata <- strata * cell
    both <- both * cell
  }
  first <- seq(1, nrow(options), by = d)
  # The scores of the strata alone: without the question's if it has a separate draw, else summed over its answers.
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
  # Linearly dependent columns are omitted; the fit stays the same.
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
  parts <- parts_of(own, microdata, codebook)
  right <- match(document$right, texts(own[[1]]$options))
  c <- length(own[[1]]$options) / (length(own[[1]]$options) - 1)
  d <- length(own[[2]]$options)
  attention <- c * (pooled_mean(parts, function(part) mean(part$first[, right])) - (1 - 1 / c))
  s <- (pooled_mean(parts, function(part) colMeans(part$second)) - 1 / d) / attention
  errors <- pooled_errors(parts, function(part) {
    u <- part$second - 1 / d - outer(c * (part$first[, right] - (1 - 1 / c)), s)
    list(mean = rep(0, d), square = colMeans(u^2))
  })
  list(estimates = 1 / d + s, errors = errors / attention)
}

find_shares <- function(document, codebook, microdata) {
  known <- vapply(document$margins, function(margin) margin$key, "")
  keys <- c(document$anchor, known, document$by, document$question)
  own <- questions_of(codebook, keys)
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
