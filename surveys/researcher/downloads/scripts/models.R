# Recomputes a release's published models from its reports. Needs only base R, and recompute.R in the same folder.
#
#     Rscript models.R microdata.csv codebook.json regression.json ...
#
# compares coefficients, predicted shares and marginal effects, their standard errors and intervals, and limits by the
# profile likelihood with the published ones, for one or more models.
# The models are linear, logistic, multinomial and ordered, of whole questions. The formulas are in docs/mathematics.md:
# M40, and M47 for linear models from pairs of questions that several forms ask.

source("recompute.R")

ENOUGH <- 1e-8  # of a standard error
ENOUGH_OF_LIMITS <- 1e-6  # likewise, limits by the profile likelihood
STEP <- 1e-2  # of a standard error, for second differences
SURE <- 3  # standard errors above 0 that an answer's share in a group needs, else no model is published
ANY <- 10  # standard errors: the most that are searched
CLEAR <- 9  # standard errors: far from a border
LEFT <- 0.01  # of a share: if no more is left, a limit is infinite
APART <- 5  # standard errors above 0 that the columns' covariance from pairs needs in each direction

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

# Everyone, the products that are columns where each covariate's rarest answer is its reference, those with each answer,
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

# Return the same for cumulative logits: slopes, then a threshold below each option but the first.
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

# Return rows by which independent standard normals move the parameters.
normal_ways <- function(covariance) {
  scale <- sqrt(diag(covariance))
  own <- eigen(covariance / outer(scale, scale), symmetric = TRUE)
  t(scale * own$vectors %*% diag(sqrt(pmax(own$values, 0)), length(scale)))
}

# Return a matrix of each mean's second derivatives by those normals.
second_order <- function(slope, b, ways) {
  changes <- lapply(seq_along(b), function(k) {
    (slope(b + STEP * ways[k, ]) - slope(b - STEP * ways[k, ])) %*% t(ways) / (2 * STEP)
  })
  lapply(seq_len(nrow(changes[[1]])), function(j) {
    second <- do.call(rbind, lapply(changes, function(each) each[j, ]))
    (second + t(second)) / 2
  })
}

# Return the maximum of slope z + bend z^2 / 2 for |z| <= reach, by bisection for the minimum of its dual.
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

# Return the standard error of a curve: a mean plus slope z + bend z^2 / 2, with independent standard normals z.
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

# Return the interval of a curve. It contains 0 if the curve vanishes with coefficients whose interval contains 0.
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
  own <- 1 / (max(phi) - min(phi))  # the chance that a tuple stays, minus that of each other tuple
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

keys_of <- function(model) c(model$outcome, vapply(model$covariates, function(covariate) covariate$key, ""))

# Coefficients, standard errors, the number of reports, and functions: of the weights of a sum of coefficients, and of a
# published share or effect, that find them again.
fit_model <- function(model, microdata, codebook) {
  keys <- keys_of(model)
  way <- one_way(questions_of(codebook, keys), microdata, codebook)
  own <- way$own
  microdata <- way$microdata
  sizes <- vapply(own, function(asked) length(asked$options), 0)
  options <- as.matrix(expand.grid(rev(lapply(sizes, function(d) seq_len(d) - 1))))[, length(sizes):1, drop = FALSE]
  weights <- 1
  for (places in by_draw(own)) {
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

# Linear models from pairs of questions (M47) ---------------------------------------------------------------------------

# Return 1, the columns of the covariates, and that of the outcome last: numbers of options less their mean, `middle`.
columns_of <- function(model, own) {
  sizes <- lapply(own, function(asked) length(asked$options))
  names(sizes) <- vapply(own, function(asked) asked$key, "")
  column <- function(key, values) list(list(key = key, values = values - mean(values), middle = mean(values)))
  covariates <- do.call(c, lapply(model$covariates, function(covariate) {
    if (!is.null(covariate$scores)) return(column(covariate$key, numbers(covariate$scores)))
    options <- seq_len(sizes[[covariate$key]]) - 1
    others <- setdiff(options, if (is.null(covariate$reference)) 0 else covariate$reference)
    do.call(c, lapply(others, function(option) column(covariate$key, (options == option) * 1)))
  }))
  scores <- if (is.null(model$scores)) seq_len(sizes[[model$outcome]]) - 1 else numbers(model$scores)
  c(list(list(key = NULL, values = 1, middle = 1)), covariates, column(model$outcome, scores))
}

# Return one form's data on some questions of a model, as the form asks them: the joint shares of their answers, from the
# totals of one draw, or from single reports if the questions have separate draws.
source_of <- function(own, microdata) {
  sizes <- vapply(own, function(asked) length(asked$options), 0)
  options <- as.matrix(expand.grid(rev(lapply(sizes, seq_len))))[, length(sizes):1, drop = FALSE]
  draws <- by_draw(own)
  one_draw <- length(draws) == 1
  weights <- if (one_draw) scores_together(microdata, own) else Reduce(`*`, lapply(draws, function(places) {
    combination <- Reduce(function(at, place) at * sizes[place] + options[, place] - 1, places, 0)
    scores_at(microdata, own, places)[, combination + 1, drop = FALSE]
  }))
  list(own = own, keys = vapply(own, function(asked) asked$key, ""), sizes = sizes, options = options, n = nrow(microdata),
       one_draw = one_draw, weights = weights, shares = colMeans(weights))
}

# Return a report's information about a mean product of columns of these questions, at equal shares; 0 if not about them.
information_of <- function(source, keys) {
  if (!all(keys %in% source$keys)) return(0)
  own <- source$own[source$keys %in% keys]
  kept <- function(places, own) (own[[places[1]]]$table$keep / RESOLUTION)^(2 - 2 * length(places))
  joint <- Filter(function(places) length(places) > 1, by_draw(own))
  nothing <- if (source$one_draw && !length(keys)) (source$own[[1]]$table$keep / RESOLUTION)^2 else 1
  nothing * prod(1 / vapply(own, variance_of, 0), vapply(joint, kept, 0, own))
}

# Return a column's numbers, by the combinations of answers.
over_combinations <- function(source, column) {
  if (is.null(column$key)) return(rep(1, nrow(source$options)))
  column$values[source$options[, match(column$key, source$keys)]]
}

# Return the covariance of the scores of one report: sums over products of columns, with a matrix of weights each.
covariance_of <- function(source, columns, linear) {
  about <- which(vapply(columns, function(column) is.null(column$key) || column$key %in% source$keys, TRUE))
  sums <- matrix(0, nrow(source$options), length(linear))
  kept <- if (source$one_draw) source$own[[1]]$table$keep / RESOLUTION
  for (a in about) for (b in about) {
    product <- over_combinations(source, columns[[a]]) * over_combinations(source, columns[[b]])
    if (source$one_draw) {  # a replaced answer gives a random list: its expected part is subtracted
      middle <- if (identical(columns[[a]]$key, columns[[b]]$key)) mean(product) else 0
      product <- (product - middle) / kept + middle
    }
    sums <- sums + outer(product, vapply(linear, function(each) each[a, b], 0))
  }
  if (!source$one_draw) {
    each <- source$weights %*% sums
    each <- sweep(each, 2, colMeans(each))
    return(crossprod(each) / source$n)
  }
  second <- second_moments(source, kept)
  mean <- drop(rowSums(second) %*% sums)
  crossprod(sums, second %*% sums) - outer(mean, mean)
}

# The second moments of the products of all questions' w, one for each combination of options (M44): w of an option is 1
# where it is listed, and all of a question add up to 1.
second_moments <- function(source, kept) {
  size <- vapply(source$own, function(asked) asked$table$sizes[[1]], 0)
  product <- function(answers) Reduce(kronecker, Map(moments_of, source$sizes, size, answers))
  given <- lapply(seq_len(nrow(source$options)), function(k) source$shares[k] * product(as.list(source$options[k, ])))
  kept * Reduce(`+`, given) + (1 - kept) * product(list(NULL))
}

# Return the second moments of w in a list of `size` of d options that holds the answer, or in a random one.
moments_of <- function(d, size, answer) {
  if (is.null(answer)) {
    one <- rep(size / d, d)
    two <- matrix(size * (size - 1) / (d * (d - 1)), d, d)
  } else {
    beside <- (size - 1) / (d - 1)
    one <- rep(beside, d)
    two <- matrix(if (d > 2) beside * (size - 2) / (d - 2) else 0, d, d)
    one[answer] <- 1
    two[answer, ] <- two[, answer] <- beside
  }
  diag(two) <- one
  absent <- -(size - 1) / (d - size)
  absent^2 + absent * (1 - absent) * outer(one, one, "+") + (1 - absent)^2 * two
}

# Return whether forms ask only some of a linear model's questions, or randomize all in different ways.
is_by_pairs <- function(model, own, codebook) {
  if (!length(codebook$forms) || model$model != "linear" || length(model$interactions)) return(FALSE)
  every <- seq_along(codebook$forms) - 1
  stand <- lapply(own, function(asked) if (length(forms <- forms_of(asked))) forms else every)
  all <- Reduce(intersect, stand)
  nothing <- data.frame(matrix(0, 0, 1, dimnames = list(NULL, codebook$form_column)), check.names = FALSE)
  if (!length(all) || length(ways_of(own, nothing, codebook)) > 1) return(TRUE)
  several <- vapply(own, function(asked) !is.null(asked[["asked"]]), TRUE)
  length(Reduce(union, stand)) > length(all) && any(several)
}

# Return the forms with reports about two of the questions, or about one question with lists.
sources_of <- function(own, microdata, codebook) {
  keys <- vapply(own, function(asked) asked$key, "")
  together <- matrix(FALSE, length(keys), length(keys))
  made <- list()
  for (form in seq_along(codebook$forms) - 1) {
    there <- which(vapply(own, function(asked) !length(forms_of(asked)) || form %in% forms_of(asked), TRUE))
    reports <- of_forms(microdata, codebook, form)
    if (!nrow(reports)) next
    each <- lapply(own[there], in_form, codebook, form)
    together[there, there] <- TRUE
    lists <- length(there) == 1 && each[[1]]$draw$mechanism == "randomized_response"
    if (length(there) > 1 || lists) made <- c(made, list(source_of(each, reports)))
  }
  missing <- which(!together & upper.tri(together), arr.ind = TRUE)
  missing <- missing[order(missing[, 1]), , drop = FALSE]
  if (nrow(missing)) {
    stop("no one was asked both: ", paste(keys[missing[, 1]], "and", keys[missing[, 2]], collapse = ", "), call. = FALSE)
  }
  made
}

# The pooled means of products of columns, and a function: of matrices of weights, the covariance of these sums of them.
pairs_of <- function(columns, sources) {
  p <- length(columns)
  keys <- function(a, b) unique(c(columns[[a]]$key, columns[[b]]$key))
  every <- function(of) outer(seq_len(p), seq_len(p), Vectorize(of))
  each <- lapply(sources, function(source) every(function(a, b) information_of(source, keys(a, b))))
  whole <- Reduce(`+`, Map(function(source, own) source$n * own, sources, each))
  weights <- lapply(each, function(own) own / whole)
  products <- Reduce(`+`, Map(function(source, own) every(function(a, b) {
    if (own[a, b] == 0) return(0)
    product <- over_combinations(source, columns[[a]]) * over_combinations(source, columns[[b]])
    own[a, b] * source$n * sum(source$shares * product)
  }), sources, weights))
  covariance <- function(linear) Reduce(`+`, Map(function(source, own) {
    source$n * covariance_of(source, columns, lapply(linear, `*`, own))
  }, sources, weights))
  several <- Filter(function(source) length(source$keys) > 1, sources)
  list(columns = columns, products = products, covariance = covariance,
       n = sum(vapply(several, function(source) source$n, 0)))
}

# Return the number of reports that would be enough, if the covariance of the columns is not surely above 0.
needed_of <- function(pairs) {
  p <- nrow(pairs$products)
  inner <- seq_len(p)[-c(1, p)]
  means <- pairs$products[1, inner]
  covariance <- pairs$products[inner, inner, drop = FALSE] - outer(means, means)
  of <- function(directions) {
    linear <- lapply(seq_len(nrow(directions)), function(k) {
      own <- matrix(0, p, p)
      own[inner, inner] <- outer(directions[k, ], directions[k, ])
      own[1, inner] <- -2 * sum(directions[k, ] * means) * directions[k, ]
      own
    })
    least <- min(rowSums((directions %*% covariance) * directions) / sqrt(diag(pairs$covariance(linear))))
    if (least >= APART) return(NULL)
    needed <- pairs$n * (APART / max(least, 1))^2
    step <- 10^max(floor(log10(needed)) - 1, 0)
    ceiling(needed / step) * step
  }
  needed <- of(diag(length(inner)))
  if (!is.null(needed)) return(needed)
  scale <- sqrt(diag(covariance))
  of(t(eigen(covariance / outer(scale, scale), symmetric = TRUE)$vectors / scale))
}

# Like fit_model, from what the forms report on two questions each.
fit_pairs <- function(pairs) {
  columns <- pairs$columns
  products <- pairs$products
  p <- length(columns) - 1
  inverse <- solve(products[-(p + 1), -(p + 1)])
  slopes <- drop(inverse %*% products[-(p + 1), p + 1])
  turn <- diag(p)
  turn[1, -1] <- -vapply(columns[2:p], function(column) column$middle, 0)
  b <- drop(turn %*% slopes)
  b[1] <- b[1] + columns[[p + 1]]$middle
  ways <- turn %*% inverse
  moves <- lapply(seq_len(p), function(k) cbind(outer(ways[k, ], -slopes), ways[k, ]))
  moves <- lapply(moves, function(own) rbind(own, 0))
  covariance <- pairs$covariance(moves)
  contrast <- function(weight) list(value = sum(weight * b), sure = numeric(0), correlation = numeric(0),
                                    error = sqrt(max(sum(weight * (covariance %*% weight)), 0)))
  effect <- function(row) {
    own <- which(vapply(columns[seq_len(p)], function(column) identical(column$key, row$key), TRUE))
    levels <- t(vapply(columns[own], function(column) column$values, columns[[own[1]]]$values))
    apart <- rep(0, p)
    apart[own] <- levels[, row$option + 1] - (if (is.null(row$reference)) products[1, own] else levels[, row$reference + 1])
    moved <- Reduce(`+`, Map(`*`, apart, moves))
    estimate <- sum(apart * b)
    if (is.null(row$reference)) {
      moved[1, p + 1] <- moved[1, p + 1] + 1
      moved[1, own] <- moved[1, own] - b[own]
      estimate <- estimate + columns[[p + 1]]$middle + products[1, p + 1]
    }
    list(estimate = estimate, slope = sqrt(max(drop(pairs$covariance(list(moved))), 0)), bend = 0, share = FALSE)
  }
  list(estimates = b, errors = sqrt(diag(covariance)), n = pairs$n, contrast = contrast, effect = effect)
}

# The largest difference of a published number, and that of a limit by the profile likelihood, in standard errors.
differences <- function(found, published) {
  levels <- numbers(published$confidences)
  # A limit that does not exist is null.
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
    own <- questions_of(codebook, keys_of(published$model))
    by_pairs <- is_by_pairs(published$model, own, codebook)
    if (by_pairs) {
      pairs <- pairs_of(columns_of(published$model, own), sources_of(own, microdata, codebook))
      needed <- needed_of(pairs)
      if (!is.null(needed)) {
        cat(sprintf("%d reports are too few for this model: about %d would be enough\n", pairs$n, needed))
        return(identical(published$refusal$reason, "too few") && published$refusal$needed == needed)
      }
    }
    found <- if (by_pairs) fit_pairs(pairs) else fit_model(published$model, microdata, codebook)
    largest <- differences(found, published)
    cat(sprintf("%d coefficients and %d shares and effects from %d reports; the largest difference is %.2g standard errors%s.\n",
                length(found$estimates), length(published$predicted) + length(published$marginal), found$n, largest[1],
                if (largest[2] > 0) sprintf("; of a limit by the profile likelihood %.2g", largest[2]) else ""))
    largest[1] <= ENOUGH && largest[2] <= ENOUGH_OF_LIMITS
  }, TRUE)
  quit(status = as.integer(!all(agree)))
}

if (sys.nframe() == 0) main(commandArgs(trailingOnly = TRUE))
