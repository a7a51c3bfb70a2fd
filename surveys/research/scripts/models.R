# A release's published model again, from its reports. Needs base R alone, and recompute.R beside it.
#
#     Rscript models.R microdata.csv codebook.json regression.json
#
# compares coefficients, predicted shares and marginal effects, each with its standard error, with the published ones.
# Linear, logistic, multinomial and ordered models of whole questions; the formulas are those of docs/mathematics.md, M40.

source("recompute.R")

ENOUGH <- 1e-8  # of a standard error
STEP <- 1e-2  # of a standard error, for second differences

# phi of each option, a row for each report: 1 in the mean where it is the truth, else 0.
scores_of <- function(microdata, asked) {
  own <- side(microdata, asked)
  sent <- own$sent[, -1, drop = FALSE]
  if (!is.null(own$phi)) return(sent %*% own$phi)
  own$ends[1] + (own$ends[2] - own$ends[1]) * sent
}

# The same of the tuples of questions that one draw randomized.
scores_together <- function(microdata, form, asked) {
  sizes <- vapply(asked, function(each) length(each$options), 0)
  place <- Reduce(function(at, k) at * sizes[k] + microdata[[asked[[k]]$key]], seq_along(asked), 0)
  k <- prod(sizes)
  other <- form$table$other / RESOLUTION * prod(numbers(form$sizes)) / k
  (outer(place, seq_len(k) - 1, "==") - other) / (1 - k * other)
}

# The columns of the covariates over all combinations.
design_of <- function(model, options, sizes) {
  own <- lapply(seq_along(model$covariates), function(k) {
    covariate <- model$covariates[[k]]
    given <- options[, k + 1]
    if (!is.null(covariate$scores)) return(cbind(numbers(covariate$scores)[given + 1]))
    reference <- if (is.null(covariate$reference)) 0 else covariate$reference
    outer(given, setdiff(seq_len(sizes[k + 1]) - 1, reference), "==") * 1
  })
  names(own) <- vapply(model$covariates, function(covariate) covariate$key, "")
  products <- lapply(model$interactions, function(pair) {
    first <- own[[pair[[1]]]]
    second <- own[[pair[[2]]]]
    do.call(cbind, lapply(seq_len(ncol(first)), function(j) first[, j] * second))
  })
  do.call(cbind, c(list(rep(1, nrow(options))), own, products))
}

# What each combination adds to the equations, a row each, and their curvature with the shares of the combinations.
equations_of <- function(model, x, outcome, d, shares) {
  linear <- model$model == "linear"
  y <- if (!linear || is.null(model$scores)) outcome else numbers(model$scores)[outcome + 1]
  answers <- if (linear) 0 else setdiff(seq_len(d) - 1, if (model$model == "logistic") 1 else 0)
  came <- outer(y, answers, "==") * 1
  means <- function(b) {
    odds <- exp(x %*% matrix(b, ncol(x)))
    odds / (1 + rowSums(odds))
  }
  gradient <- function(b) {
    if (linear) return(x * drop(y - x %*% b))
    left <- came - means(b)
    do.call(cbind, lapply(seq_along(answers), function(a) left[, a] * x))
  }
  curvature <- function(b) {
    if (linear) return(crossprod(x, shares * x))
    mu <- means(b)
    block <- function(a, c) crossprod(x, shares * (mu[, a] * (a == c) - mu[, a] * mu[, c]) * x)
    do.call(rbind, lapply(seq_along(answers), function(a) do.call(cbind, lapply(seq_along(answers), function(c) block(a, c)))))
  }
  list(start = rep(0, ncol(x) * length(answers)), gradient = gradient, curvature = curvature)
}

# The same of cumulative logits: slopes, then a threshold below each option but the first.
ordered_equations <- function(x, outcome, d, shares) {
  x <- x[, -1, drop = FALSE]
  thresholds <- diag(d - 1)
  end_of <- function(b, place) {  # the end of an option's stretch of the line, and its direction, for each combination
    inner <- place >= 1 & place <= d - 1
    at <- ifelse(place < 1, -Inf, Inf)
    at[inner] <- b[ncol(x) + place[inner]] - drop(x %*% b[seq_len(ncol(x))])[inner]
    way <- matrix(0, nrow(x), ncol(x) + d - 1)
    way[inner, ] <- cbind(-x, thresholds[pmin(pmax(place, 1), d - 1), , drop = FALSE])[inner, ]
    curve <- plogis(at)
    list(curve = curve, slope = curve * (1 - curve), bend = curve * (1 - curve) * (1 - 2 * curve), way = way)
  }
  gradient <- function(b) {
    low <- end_of(b, outcome)
    high <- end_of(b, outcome + 1)
    (high$slope * high$way - low$slope * low$way) / (high$curve - low$curve)
  }
  curvature <- function(b) {
    low <- end_of(b, outcome)
    high <- end_of(b, outcome + 1)
    own <- shares / (high$curve - low$curve)
    first <- gradient(b)
    crossprod(first, shares * first) - crossprod(high$way, own * high$bend * high$way) +
      crossprod(low$way, own * low$bend * low$way)
  }
  own <- pmax(vapply(seq_len(d) - 1, function(option) sum(shares[outcome == option]), 0), 0.01)
  list(start = c(rep(0, ncol(x)), qlogis(cumsum(own / sum(own))[-d])), gradient = gradient, curvature = curvature)
}

# The share of each option at these columns of covariates, a row for each combination; of a linear model the mean.
means_of <- function(model, x, b, d) {
  if (model$model == "linear") return(x %*% b)
  if (model$model == "ordered") {
    slopes <- seq_len(ncol(x) - 1)
    above <- outer(drop(x[, -1, drop = FALSE] %*% b[slopes]), b[-slopes], function(line, end) 1 / (1 + exp(line - end)))
    return(cbind(above, 1) - cbind(0, above))
  }
  odds <- exp(x %*% matrix(b, ncol(x)))
  odds <- if (model$model == "logistic") cbind(odds, 1) else cbind(1, odds)
  odds / rowSums(odds)
}

# How the means over the people, with these shares of the combinations, change with each parameter: exact, by a step that
# is imaginary. A row for each mean.
slope_of <- function(means, shares, b) {
  changes <- vapply(seq_along(b), function(k) {
    drop(shares %*% Im(means(b + 1e-30i * (seq_along(b) == k)))) / 1e-30
  }, numeric(ncol(means(b))))
  matrix(changes, ncol = length(b))
}

# What normal parameters add by the second order of a mean: the root of tr(S S)/2 + (tr(S)/2)^2.
second_order <- function(slope, b, covariance) {
  scale <- sqrt(diag(covariance))
  own <- eigen(covariance / outer(scale, scale), symmetric = TRUE)
  ways <- scale * own$vectors %*% diag(sqrt(pmax(own$values, 0)), length(b))
  changes <- lapply(seq_along(b), function(k) {
    (slope(b + STEP * ways[, k]) - slope(b - STEP * ways[, k])) %*% ways / (2 * STEP)
  })
  vapply(seq_len(nrow(changes[[1]])), function(j) {
    second <- do.call(rbind, lapply(changes, function(each) each[j, ]))
    sqrt(sum(second^2) / 2 + (sum(diag(second)) / 2)^2)
  }, 0)
}

# Coefficients, standard errors, the number of reports, and a function of a published share or effect that finds it again.
fit_model <- function(model, microdata, codebook) {
  keys <- c(model$outcome, vapply(model$covariates, function(covariate) covariate$key, ""))
  own <- lapply(keys, function(key) Filter(function(each) each$key == key, codebook$questions)[[1]])
  for (asked in own) microdata <- asked_in(microdata, codebook, asked)
  # A mean has no options: the ends that its numbers were rounded to stand for them.
  own <- lapply(own, function(asked) { if (is.null(asked$options)) asked$options <- list("low", "high"); asked })
  sizes <- vapply(own, function(asked) length(asked$options), 0)
  options <- as.matrix(expand.grid(rev(lapply(sizes, function(d) seq_len(d) - 1))))[, length(sizes):1, drop = FALSE]
  draw <- vapply(own, function(asked) if (isTRUE(asked$joint)) paste("form", asked$form) else asked$key, "")
  weights <- 1
  for (one in unique(draw)) {
    places <- which(draw == one)
    phi <- if (length(places) == 1) scores_of(microdata, own[[places]]) else
      scores_together(microdata, codebook$forms[[own[[places[1]]]$form + 1]], own[places])
    combination <- Reduce(function(at, place) at * sizes[place] + options[, place], places, 0)
    weights <- weights * phi[, combination + 1]
  }
  n <- nrow(weights)
  shares <- colMeans(weights)
  x <- design_of(model, options, sizes)
  made <- if (model$model == "ordered") ordered_equations(x, options[, 1], sizes[1], shares) else
    equations_of(model, x, options[, 1], sizes[1], shares)
  b <- made$start
  for (turn in 1:100) {
    step <- solve(made$curvature(b), drop(shares %*% made$gradient(b)))
    b <- b + step
    if (max(abs(step)) < 1e-13 * (1 + max(abs(b)))) break
  }
  influence <- weights %*% made$gradient(b) %*% solve(made$curvature(b))
  influence <- sweep(influence, 2, colMeans(influence))
  covariance <- crossprod(influence) / n / (n - length(b))
  effect <- function(row) {
    place <- match(row$key, keys)
    columns <- function(option) {
      moved <- options
      moved[, place] <- option
      design_of(model, moved, sizes)
    }
    there <- columns(row$option)
    instead <- if (is.null(row$reference)) NULL else columns(row$reference)
    means <- function(b) {
      value <- means_of(model, there, b, sizes[1])
      if (is.null(instead)) value else value - means_of(model, instead, b, sizes[1])
    }
    slope <- function(b) slope_of(means, shares, b)
    own <- weights %*% means(b) + influence %*% t(slope(b))
    spread <- colMeans(sweep(own, 2, colMeans(own))^2) / (n - length(b))
    second <- if (model$model == "linear") 0 else second_order(slope, b, covariance)
    outcome <- if (is.null(row$outcome)) 1 else row$outcome + 1
    c(drop(shares %*% means(b))[outcome], sqrt(spread + second^2)[outcome])
  }
  list(estimates = b, errors = sqrt(diag(covariance)), n = n, effect = effect)
}

if (sys.nframe() == 0 && length(commandArgs(trailingOnly = TRUE)) == 3) {
  arguments <- commandArgs(trailingOnly = TRUE)
  published <- read_json(arguments[3])
  found <- fit_model(published$model, read_microdata(arguments[1]), read_codebook(arguments[2]))
  shares <- c(published$predicted, published$marginal)
  rows <- c(published$coefficients, shares)
  estimates <- vapply(rows, function(row) as.numeric(row$estimate), 0)
  errors <- vapply(rows, function(row) as.numeric(row$standard_error), 0)
  again <- cbind(rbind(found$estimates, found$errors), vapply(shares, found$effect, numeric(2)))
  difference <- max(abs(again[1, ] - estimates) / errors, abs(again[2, ] - errors) / errors)
  cat(sprintf("%d coefficients and %d shares and effects from %d reports; the largest difference is %.2g standard errors.\n",
              length(found$estimates), length(shares), found$n, difference))
  quit(status = as.integer(difference > ENOUGH))
}
