# A release's published model again, from its reports. Needs base R alone, and recompute.R beside it.
#
#     Rscript models.R microdata.csv codebook.json regression.json ...
#
# compares coefficients, predicted shares and marginal effects, each with its standard error and its intervals, with the
# published ones, and limits by the profile likelihood, of one model or several.
# Linear, logistic, multinomial and ordered models of whole questions; the formulas are those of docs/mathematics.md, M40.

source("recompute.R")

ENOUGH <- 1e-8  # of a standard error
ENOUGH_OF_LIMITS <- 1e-6  # likewise, limits by the profile likelihood
STEP <- 1e-2  # of a standard error, for second differences
SURE <- 3  # standard errors: of an answer's share in a group, below which no model is published
ANY <- 10  # standard errors that are any number of them
CLEAR <- 9  # standard errors that are far enough from a border
LEFT <- 0.01  # of a share, of which as good as nothing is left

# phi of each option, a row for each report: 1 in the mean where it is the truth, else 0.
scores_of <- function(microdata, asked) {
  own <- side(microdata, asked)
  sent <- own$sent[, -1, drop = FALSE]
  if (!is.null(own$phi)) return(sent %*% own$phi)
  own$ends[1] + (own$ends[2] - own$ends[1]) * sent
}

# The same of the tuples of questions that one draw randomized.
scores_together <- function(microdata, own) {
  weights <- matrix(1, nrow(microdata), 1)
  for (asked in own) {
    listed <- side(microdata, asked)$sent[, -1, drop = FALSE]
    each <- weights_of_options(listed, ncol(listed), asked$table$sizes[[1]])
    weights <- do.call(cbind, lapply(seq_len(ncol(weights)), function(k) weights[, k] * each))
  }
  kept <- own[[1]]$table$keep / RESOLUTION
  (weights - (1 - kept) / ncol(weights)) / kept
}

# The scores of the questions at these places, which one draw randomized.
scores_at <- function(microdata, own, places) {
  if (length(places) == 1) scores_of(microdata, own[[places]]) else scores_together(microdata, own[places])
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

# Everybody, the products that are columns where each covariate's rarest answer is its reference, those with each answer,
# and with scores the distance from either end, a column each.
groups_of <- function(model, options, shares, sizes) {
  each <- list(rep(1, nrow(options)))
  for (k in seq_along(model$covariates)) {
    given <- options[, k + 1]
    if (!is.null(model$covariates[[k]]$scores)) {
      own <- numbers(model$covariates[[k]]$scores)
      each <- c(each, list(own[given + 1] - min(own), max(own) - own[given + 1]))
    } else {
      every <- outer(given, seq_len(sizes[k + 1]) - 1, "==") * 1
      model$covariates[[k]]$reference <- which.min(round(drop(shares %*% every), 9)) - 1
      each <- c(each, list(every))
    }
  }
  alone <- ncol(design_of(model[names(model) != "interactions"], options, sizes))
  do.call(cbind, c(each, list(design_of(model, options, sizes)[, -seq_len(alone), drop = FALSE])))
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

# By these rows independent standard normals move the parameters.
normal_ways <- function(covariance) {
  scale <- sqrt(diag(covariance))
  own <- eigen(covariance / outer(scale, scale), symmetric = TRUE)
  t(scale * own$vectors %*% diag(sqrt(pmax(own$values, 0)), length(scale)))
}

# The second derivatives of each mean by those normals, a matrix each.
second_order <- function(slope, b, ways) {
  changes <- lapply(seq_along(b), function(k) {
    (slope(b + STEP * ways[k, ]) - slope(b - STEP * ways[k, ])) %*% t(ways) / (2 * STEP)
  })
  lapply(seq_len(nrow(changes[[1]])), function(j) {
    second <- do.call(rbind, lapply(changes, function(each) each[j, ]))
    (second + t(second)) / 2
  })
}

# The greatest slope z + bend z^2 / 2 where |z| <= reach, by halving where its dual's minimum must lie.
most_of <- function(slope, bend, reach) {
  size <- sqrt(sum(slope^2))
  least <- max(bend, 0)
  if (size == 0) return(least * reach^2 / 2)
  low <- least + 1e-12 * (size + least)
  high <- low + size / reach
  for (round in 1:100) {
    middle <- (low + high) / 2
    if (sum((slope / (middle - bend))^2) > reach^2) low <- middle else high <- middle
  }
  (high * reach^2 + sum(slope^2 / (high - bend))) / 2
}

# The standard error of a curve: a mean to which independent standard normals z add slope z + bend z^2 / 2.
error_of <- function(curve) sqrt(sum(curve$slope^2) + sum(curve$bend^2) / 2 + (sum(curve$bend) / 2)^2)

# How many standard errors an estimate may be too large that would not be published if it were `border` smaller, by
# halving.
off_of <- function(border, reach) {
  if (border - reach > CLEAR) return(reach)
  low <- reach
  high <- ANY
  for (round in 1:100) {
    middle <- (low + high) / 2
    if (pnorm(-middle) > pnorm(-reach) * pnorm(border - middle)) low <- middle else high <- middle
  }
  high
}

# How many standard errors more than `reach` an estimate that is so many above 0 may be too large, since it would not be
# published below SURE.
pushed <- function(errors, reach) max(min(off_of(errors - SURE, reach), errors) - reach, 0)

# What is more than `reach` of a logit, as the logarithm of a share falls that is so many errors above 0.
beyond <- function(errors, border, reach) {
  most <- off_of(max(border, 0), reach)
  if (most >= min((1 - LEFT) * errors, ANY)) return(Inf)
  -errors * log1p(-(most - reach) / (errors - reach))
}

# How many errors beyond a normal interval the limits of a sum of coefficients are, since noise may have pushed what is
# published. A contrast has its value and error; how many errors above 0 the numbers are for which the model is published,
# and their correlations with it.
widening_of <- function(contrast, reach) vapply(c(1, -1), function(sign) {
  along <- sign * contrast$correlation
  own <- which(along > 0)
  max(0, vapply(own, function(k) beyond(contrast$sure[k] / along[k], (contrast$sure[k] - SURE) / along[k], reach), 0))
}, 0)

interval_of <- function(contrast, level) {
  reach <- qnorm((1 + level) / 2)
  contrast$value + c(-1, 1) * (reach + widening_of(contrast, reach)) * contrast$error
}

# The interval of a curve. It holds 0 where that of the coefficients does with which it vanishes.
ends_of <- function(curve, level) {
  reach <- qnorm((1 + level) / 2)
  square <- sum(curve$slope^2)
  across <- (sum(curve$bend) - (if (square > 0) sum(curve$slope^2 * curve$bend) / square else 0)) / 2
  ends <- curve$estimate + c(-most_of(-curve$slope, -curve$bend, reach) - max(across, 0),
                             most_of(curve$slope, curve$bend, reach) - min(across, 0))
  beside <- if (is.null(curve$contrast)) c(Inf, -Inf) else interval_of(curve$contrast, level)
  if (beside[1] <= 0 && beside[2] >= 0) ends <- c(min(ends[1], 0), max(ends[2], 0))
  for (k in seq_along(curve$shares)) {
    own <- curve$shares[[k]]
    further <- own[2] * c(pushed(own[1] / own[2], reach), pushed((1 - own[1]) / own[2], reach))
    ends <- ends + c(-1, 1) * (if (k == 1) further else rev(further))
  }
  if (curve$share) c(max(ends[1], 0), min(ends[2], 1)) else ends
}

# The likelihood of a joint form's counts: the outcome's chances by a model, and any shares of the covariates' answers,
# whose logarithms follow the model's parameters. Gives a function of a published limit: how many standard errors it is
# from where the likelihood is as much lower as it may be. Where there is no limit it must be no lower 20 of them away.
likelihood_of <- function(phi, means, outcome, b, errors) {
  counts <- tabulate(max.col(phi, "first"), ncol(phi))
  own <- 1 / (max(phi) - min(phi))  # the chance that a tuple stays, less that of each other
  other <- -min(phi) * own
  m <- length(b)
  others <- length(outcome) / ncol(means(b))
  place <- (seq_along(outcome) - 1) %% others + 1
  units <- c(errors, rep(1, others))
  same <- outer(place, seq_len(others), "==") * 1
  chances <- function(b) means(b)[cbind(seq_along(outcome), outcome + 1)]
  at <- function(t) {
    marginal <- exp(t[-seq_len(m)] - max(t[-seq_len(m)]))
    marginal <- marginal / sum(marginal)
    chance <- chances(t[seq_len(m)])
    if (any(chance < 0)) return(list(value = -Inf))
    shares <- pmax(chance, 1e-300) * marginal[place]
    slope <- vapply(seq_len(m), function(k) Im(chances(t[seq_len(m)] + 1e-30i * (seq_len(m) == k))) / 1e-30, chance)
    slope <- cbind(slope * marginal[place], shares * sweep(same, 2, marginal))
    came <- other + own * shares
    slope <- own * slope / came
    list(value = sum(counts * log(came)), slope = drop(counts %*% slope),
         information = crossprod(slope, sum(counts) * came * slope))
  }
  # By scoring. Shares that would fall below 0 fall by a part of themselves, and stay where they are next to nothing.
  greatest <- function(t, j = 0) {
    now <- at(t)
    for (round in 1:200) {
      step <- rep(0, length(t))
      nobody <- t[-seq_len(m)] < max(t[-seq_len(m)]) - 25 & now$slope[-seq_len(m)] <= 0
      free <- seq_along(t) != j & !c(rep(FALSE, m), nobody)
      while (any(free)) {
        information <- now$information[free, free, drop = FALSE]
        size <- sqrt(pmax(diag(information), 1e-300))
        left <- now$slope[free] - now$information[free, !free, drop = FALSE] %*% step[!free]
        scaled <- eigen(information / outer(size, size), symmetric = TRUE)
        known <- scaled$values > 1e-12 * scaled$values[1]
        ways <- scaled$vectors[, known, drop = FALSE]
        step[free] <- ways %*% (crossprod(ways, left / size) / scaled$values[known]) / size
        far <- free & abs(step) > 3 * units
        if (!any(far)) break
        step[far] <- 3 * sign(step[far]) * units[far]
        free <- free & !far
      }
      if (sum(now$slope * step) < 1e-10) break
      further <- at(t + step)
      while (!(further$value > now$value) && max(abs(step / units)) > 1e-9) {
        step <- step / 2
        further <- at(t + step)
      }
      if (!(further$value > now$value)) break
      t <- t + step
      now <- further
    }
    c(now, list(at = t))
  }
  shares <- rowSums(matrix(colMeans(phi), others))
  best <- greatest(c(b, log(pmax(shares, 1e-3))))
  function(j, limit, sign, level) {
    t <- best$at
    t[j] <- if (is.null(limit)) t[j] + sign * 20 * units[j] else limit
    there <- greatest(t, j)
    above <- there$value - best$value + qnorm((1 + level) / 2)^2 / 2
    if (is.null(limit)) return(if (above > 0) 0 else Inf)
    rising <- -sign * there$slope[j] * units[j]
    if (sign * (limit - best$at[j]) > 0 && rising > 0) abs(above / rising) else Inf
  }
}

# Coefficients, standard errors, the number of reports, and functions: of the weights of a sum of coefficients, and of a
# published share or effect, that find them again.
fit_model <- function(model, microdata, codebook) {
  keys <- c(model$outcome, vapply(model$covariates, function(covariate) covariate$key, ""))
  own <- lapply(keys, function(key) Filter(function(each) each$key == key, codebook$questions)[[1]])
  if (any(vapply(own, function(asked) !is.null(asked$asked), TRUE))) {
    stop("several forms ask one of these questions: that is not computed again here", call. = FALSE)
  }
  for (asked in own) microdata <- asked_in(microdata, codebook, asked)
  # A mean has no options: the ends that its numbers were rounded to stand for them.
  own <- lapply(own, function(asked) { if (is.null(asked$options)) asked$options <- list("low", "high"); asked })
  sizes <- vapply(own, function(asked) length(asked$options), 0)
  options <- as.matrix(expand.grid(rev(lapply(sizes, function(d) seq_len(d) - 1))))[, length(sizes):1, drop = FALSE]
  draw <- vapply(own, function(asked) draw_of(codebook, asked$key), 0L)
  weights <- 1
  for (one in unique(draw)) {
    places <- which(draw == one)
    phi <- scores_at(microdata, own, places)
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
  errors <- sqrt(diag(covariance))
  ways <- normal_ways(covariance)
  normal <- influence %*% solve(ways)
  sure <- numeric(0)
  differing <- matrix(0, n, 0)
  if (model$model != "linear") {
    slopes <- made$gradient(b)
    residuals <- if (model$model == "ordered") cbind(rowSums(slopes[, ncol(x):length(b), drop = FALSE])) else
      slopes[, seq(1, length(b), ncol(x)), drop = FALSE]
    residuals <- cbind(residuals, rowSums(residuals))
    every <- groups_of(model, options, shares, sizes)
    squares <- do.call(cbind, lapply(seq_len(ncol(residuals)), function(k) (residuals[, k] * every)^2))
    means <- drop(shares %*% squares)
    differing <- sweep(weights %*% squares, 2, means)
    error <- sqrt(colSums(differing^2)) / n
    known <- error > 1e-12 * abs(means)
    sure <- means[known] / error[known]
    differing <- differing[, known, drop = FALSE]
  }
  contrast_of <- function(weight) {
    own <- drop(influence %*% weight)
    size <- sqrt(sum(own^2) * colSums(differing^2))
    correlation <- ifelse(size > 0, drop(own %*% differing) / size, 0)
    list(value = sum(weight * b), error = sqrt(sum(weight * (covariance %*% weight))), sure = sure, correlation = correlation)
  }
  effect <- function(row) {
    place <- match(row$key, keys)
    outcome <- if (is.null(row$outcome)) 1 else row$outcome + 1
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
    own <- drop(weights %*% means(b)[, outcome] + influence %*% slope(b)[outcome, ])
    own <- own - mean(own)
    first <- drop(own %*% normal) / n / (n - length(b))
    rest <- sqrt(max(sum(own^2) / n / (n - length(b)) - sum(first^2), 0))
    second <- if (model$model == "linear") 0 * ways else second_order(slope, b, ways)[[outcome]]
    turned <- eigen(second, symmetric = TRUE)
    contrast <- NULL
    if (!is.null(instead) && model$model %in% c("logistic", "ordered") && outcome %in% c(1, sizes[1])) {
      rows <- unique(there - instead)
      if (model$model == "ordered") rows <- unique(rows[, -1, drop = FALSE])
      weight <- c(rows[1, ], rep(0, length(b) - ncol(rows)))
      if (nrow(rows) == 1) contrast <- contrast_of(weight)
    }
    curve <- list(estimate = drop(shares %*% means(b))[outcome], slope = c(drop(crossprod(turned$vectors, first)), rest),
                  bend = c(turned$values, 0), share = is.null(instead) && !is.null(row$outcome))
    curve$contrast <- contrast
    # The predicted shares that an effect is the difference of, with their standard errors; none of a mean score.
    if (curve$share) {
      curve$shares <- list(c(curve$estimate, error_of(curve)))
    } else if (!is.null(row$outcome)) {
      at <- function(option) effect(list(key = row$key, option = option, outcome = row$outcome))$shares
      curve$shares <- c(at(row$option), at(row$reference))
    }
    curve
  }
  likelihood <- function() likelihood_of(weights, function(b) means_of(model, x, b, sizes[1]), options[, 1], b, errors)
  list(estimates = b, errors = errors, n = n, contrast = contrast_of, effect = effect, likelihood = likelihood)
}

# The largest difference of a published number, and that of a limit by the profile likelihood, in standard errors.
differences <- function(found, published) {
  levels <- numbers(published$confidences)
  # A limit that is none stands as null.
  limits_of <- function(ends) vapply(1:2, function(end) if (is.null(ends[[end]])) c(-Inf, Inf)[end] else ends[[end]], 0)
  apart <- function(again, own) max(ifelse(again == own, 0, abs(again - own)))
  of_numbers <- 0
  for (j in seq_along(published$coefficients)) {
    row <- published$coefficients[[j]]
    contrast <- found$contrast((seq_along(found$estimates) == j) * 1)
    again <- c(found$estimates[j], found$errors[j], vapply(levels, function(level) interval_of(contrast, level), numeric(2)))
    own <- c(row$estimate, row$standard_error, vapply(row$intervals, limits_of, numeric(2)))
    of_numbers <- max(of_numbers, apart(again, own) / row$standard_error)
  }
  for (row in c(published$predicted, published$marginal)) {
    curve <- found$effect(row)
    again <- c(curve$estimate, error_of(curve))
    own <- c(row$estimate, row$standard_error)
    if (published$format >= 3) {
      together <- if (is.null(row$simultaneous)) NULL else 1 - (1 - levels) / length(published$marginal)
      again <- c(again, vapply(c(levels, together), function(level) ends_of(curve, level), numeric(2)))
      own <- c(own, unlist(row$intervals), unlist(row$simultaneous))
    }
    of_numbers <- max(of_numbers, abs(again - own) / row$standard_error)
  }
  likelihood <- NULL
  of_limits <- 0
  for (j in seq_along(published$coefficients)) for (k in seq_along(published$coefficients[[j]]$profile)) {
    if (is.null(likelihood)) likelihood <- found$likelihood()
    limits <- published$coefficients[[j]]$profile[[k]]
    contrast <- found$contrast((seq_along(found$estimates) == j) * 1)
    further <- c(-1, 1) * widening_of(contrast, qnorm((1 + levels[k]) / 2)) * contrast$error
    for (end in 1:2) {
      nearer <- if (is.null(limits[[end]])) NULL else limits[[end]] - further[end]
      of_limits <- max(of_limits, if (is.finite(further[end])) likelihood(j, nearer, c(-1, 1)[end], levels[k]) else
        if (is.null(nearer)) 0 else Inf)
    }
  }
  c(of_numbers, of_limits)
}

main <- function(arguments) {
  if (length(arguments) < 3) stop("Rscript models.R microdata.csv codebook.json regression.json ...", call. = FALSE)
  microdata <- read_microdata(arguments[1])
  codebook <- read_codebook(arguments[2])
  agree <- vapply(arguments[-(1:2)], function(path) {
    published <- read_json(path)
    found <- fit_model(published$model, microdata, codebook)
    largest <- differences(found, published)
    cat(sprintf("%d coefficients and %d shares and effects from %d reports; the largest difference is %.2g standard errors%s.\n",
                length(found$estimates), length(published$predicted) + length(published$marginal), found$n, largest[1],
                if (largest[2] > 0) sprintf("; of a limit by the profile likelihood %.2g", largest[2]) else ""))
    largest[1] <= ENOUGH && largest[2] <= ENOUGH_OF_LIMITS
  }, TRUE)
  quit(status = as.integer(!all(agree)))
}

if (sys.nframe() == 0) main(commandArgs(trailingOnly = TRUE))
