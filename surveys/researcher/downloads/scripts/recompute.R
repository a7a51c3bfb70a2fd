# Recomputes every published estimate, standard error and interval of a release from its reports. Needs only base R.
#
#   Rscript recompute.R microdata.csv codebook.json                  prints the numbers as CSV
#   Rscript recompute.R microdata.csv codebook.json estimates.csv    compares them with the published ones
#
# The formulas are in docs/researchers/recompute.md. The program recomputes every interval of every method.
# After source("recompute.R") you can call read_codebook(), read_microdata(), recompute() and cross().

RESOLUTION <- 2^53
NUMBERS <- c("estimate", "standard_error", "interval_low", "interval_high", "simultaneous_low", "simultaneous_high")
AGREE <- 1e-9  # of the width of the scale
NEGLIGIBLE <- 1e-18  # of a transform

# Reading --------------------------------------------------------------------------------------------------------------

read_json <- function(path) {
  # Read bytes: in a long text, R would count the characters again for every token.
  text <- paste(readLines(path, encoding = "bytes", warn = FALSE), collapse = "\n")
  pattern <- "\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|[][{},:]"
  tokens <- regmatches(text, gregexpr(pattern, text, perl = TRUE, useBytes = TRUE))[[1]]
  Encoding(tokens) <- "UTF-8"
  at <- 0
  take <- function() { at <<- at + 1; tokens[at] }
  value <- function() {
    token <- take()
    if (token == "{") return(members())
    if (token == "[") return(elements())
    if (substr(token, 1, 1) == "\"") return(unquoted(token))
    switch(token, true = TRUE, false = FALSE, null = NULL, as.numeric(token))
  }
  members <- function() {
    found <- list()
    if (tokens[at + 1] == "}") { take(); return(found) }
    repeat {
      name <- unquoted(take()); take()
      found[name] <- list(value())
      if (take() == "}") return(found)
    }
  }
  elements <- function() {
    found <- list()
    if (tokens[at + 1] == "]") { take(); return(found) }
    repeat {
      found[length(found) + 1] <- list(value())
      if (take() == "]") return(found)
    }
  }
  value()
}

unquoted <- function(token) {
  text <- substr(token, 2, nchar(token) - 1)
  if (!grepl("\\", text, fixed = TRUE)) return(text)
  pieces <- regmatches(text, gregexpr("\\\\u[0-9a-fA-F]{4}|\\\\.|[^\\\\]+", text, perl = TRUE))[[1]]
  plain <- c("\\n" = "\n", "\\t" = "\t", "\\r" = "\r", "\\b" = "\b", "\\f" = "\f")
  named <- pieces %in% names(plain)
  pieces[named] <- plain[pieces[named]]
  coded <- grepl("^\\\\u[0-9a-fA-F]{4}$", pieces)
  pieces[coded] <- vapply(strtoi(substr(pieces[coded], 3, 6), 16L), intToUtf8, "")
  pieces[!named & !coded] <- sub("^\\\\", "", pieces[!named & !coded])
  paste(pieces, collapse = "")
}

read_codebook <- read_json

read_microdata <- function(path) read.csv(path, check.names = FALSE, fileEncoding = "UTF-8-BOM")

numbers <- function(list) vapply(list, function(each) as.numeric(each), 0)
texts <- function(list) vapply(list, function(each) as.character(each), "")

# Laws of scores -------------------------------------------------------------------------------------------------------

indicator <- function(a, b) list(a = a, v_a = a * (1 - a), b = b, v_b = b * (1 - b))

# Whether an option is among the a of d that a report lists.
listed <- function(keep, d, a) {
  kept <- keep / RESOLUTION
  indicator(kept + (1 - kept) * a / d, kept * (a - 1) / (d - 1) + (1 - kept) * a / d)
}

chances <- function(cumulative) diff(c(0, numbers(cumulative), RESOLUTION)) / RESOLUTION

laplace_laws <- function(table) {
  q <- table$flip / RESOLUTION
  digits <- numbers(table$magnitude) / RESOLUTION
  weights <- 2^(seq_along(digits) - 1)
  average <- sum(digits * weights)
  second <- average^2 + sum(digits * (1 - digits) * weights^2)
  magnitude <- 1
  for (chance in digits) magnitude <- c(magnitude * (1 - chance), magnitude * chance)
  moments <- function(up) {
    first <- up * (1 + average) - (1 - up) * average
    c(first, up * (1 + 2 * average + second) + (1 - up) * second - first^2)
  }
  law <- function(up) c((1 - up) * rev(magnitude), up * magnitude)
  inside <- moments(1 - q)
  outside <- moments(q)
  sums <- list(a = inside[1], v_a = inside[2], b = outside[1], v_b = outside[2],
               low = 1 - length(magnitude), inside = law(1 - q), outside = law(q))
  list(threshold = indicator(1 - q, q), sum = sums)
}

noise_law <- function(table) {
  law <- chances(table$noise)
  values <- seq_along(law) - 1 - length(law) %/% 2
  average <- sum(law * values)
  variance <- sum(law * values^2) - average^2
  list(a = 1 + average, v_a = variance, b = average, v_b = variance,
       low = values[1], inside = c(0, law), outside = c(law, 0))
}

# Questions ------------------------------------------------------------------------------------------------------------

recompute <- function(microdata, codebook) {
  levels <- numbers(codebook$confidences)
  of <- function(reports_of) {
    rows <- lapply(codebook$questions, function(asked) {
      reports <- asked_in(reports_of, codebook, asked)
      if (!nrow(reports)) return(NULL)
      columns <- lapply(asked$microdata$columns, function(column) reports[[column$name]])
      asked$every_release <- isTRUE(codebook$every_release)
      if (is.null(asked$table)) return(pooled(asked, columns, reports[[codebook$form_column]], levels))
      question(asked, columns, levels)
    })
    do.call(rbind, rows)
  }
  do.call(rbind, lapply(c(list(microdata), of_groups(microdata, codebook)), of))
}

# The reports of each group, where results are published by group, too.
of_groups <- function(microdata, codebook) {
  lapply(seq_along(codebook$groups), function(place) {
    microdata[microdata[[codebook$group_column]] == place - 1, , drop = FALSE]
  })
}

# The reports that are about a question: where it is in a form those of this form. Its table is that of the channel
# that its own answers went through, also where others are drawn with it.
asked_in <- function(microdata, codebook, asked) {
  forms <- forms_of(asked)
  if (length(forms)) microdata[microdata[[codebook$form_column]] %in% forms, , drop = FALSE] else microdata
}

# The forms that a question is in; none where everyone is asked. `$asked` would also match `asked_if`.
forms_of <- function(asked) c(asked$form, vapply(asked[["asked"]], function(each) each$form, 0))

# What its table holds, and what a report is about: so two questions that are alike in both are estimated.
way_of <- function(asked) {
  about <- if (!is.null(asked$items)) "items" else if (!is.null(asked$options)) "options" else "number"
  paste(c(sort(names(asked$table)), about), collapse = ", ")
}

question <- function(asked, columns, levels) {
  d <- length(asked$options)
  table <- asked$table
  n <- length(columns[[1]])
  sums <- function() vapply(columns, function(column) sum(as.numeric(column)), 0)
  switch(way_of(asked),
    "keep, sizes, options" = {
      law <- listed(table$keep, d, table$sizes[[1]])
      shares(asked, list(support = listed_counts(columns, d)), list(support = law), n, levels)
    },
    "flip, options" = {
      q <- table$flip / RESOLUTION
      shares(asked, list(support = sums()), list(support = indicator(1 - q, q)), n, levels)
    },
    "flip, magnitude, options" = {
      above <- vapply(columns, function(column) sum(column >= 1), 0)
      shares(asked, list(threshold = above, sum = sums()), laplace_laws(table), n, levels)
    },
    "noise, options" = shares(asked, list(sum = sums()), list(sum = noise_law(table)), n, levels),
    "rows, options" = exponential(asked, columns[[1]], levels),
    "keep, sizes, number" = {
      law <- listed(table$keep, 2, 1)
      rows <- category(asked$key, "mean", "mean", sum(columns[[1]]), n, law, levels, 1, TRUE, law_of(asked, n, law))
      scaled(rows, asked)
    },
    "rows, number" = laplace_mean(asked, columns[[1]], levels),
    "keep, sample, options" = {
      law <- listed(table$keep, 2, 1)
      one <- function(j) {
        own <- columns[[j]][!is.na(columns[[j]])]
        if (length(own)) category(asked$key, "support", asked$options[[j]], sum(own), length(own), law, levels, d,
                                  length(own) < n, law_of(asked, length(own), law))
      }
      do.call(rbind, lapply(seq_len(d), one))
    },
    "keep, sample, size, items" = {
      law <- listed(table$keep, d, table$size)
      width <- length(columns) / length(asked$items)
      item <- function(i) {
        mine <- columns[(i - 1) * width + seq_len(width)]
        about <- !is.na(mine[[1]])
        own <- sum(about)
        if (!own) return(NULL)
        counts <- listed_counts(lapply(mine, function(column) column[about]), d)
        do.call(rbind, lapply(seq_len(d), function(j) category(paste0(asked$key, ".", i), "support", asked$options[[j]],
          counts[j], own, law, levels, at_once(asked), own < n, law_of(asked, own, law))))
      }
      do.call(rbind, lapply(seq_along(asked$items), item))
    })
}

# How many reports list each option: a column holds the option where they list one, else each has its own.
listed_counts <- function(columns, d) {
  if (length(columns) == 1) return(tabulate(columns[[1]] + 1, d))
  vapply(columns, function(column) sum(as.numeric(column)), 0)
}

# How many intervals hold at once: where a report names one of two options, the other's is a mirror image.
at_once <- function(asked) {
  d <- length(asked$options)
  table <- if (is.null(asked$table)) asked[["asked"]][[1]]$table else asked$table
  mirrored <- d == 2 && any(c("sizes", "size", "rows") %in% names(table))
  max(1, length(asked$items)) * (if (mirrored) 1 else d)
}

shares <- function(asked, totals, laws, n, levels) {
  d <- length(asked$options)
  together <- at_once(asked)
  rows <- lapply(names(laws), function(method) {
    law <- laws[[method]]
    total_law <- law_of(asked, n, law)
    do.call(rbind, lapply(seq_len(d), function(j) category(asked$key, method, asked$options[[j]], totals[[method]][j],
      n, law, levels, together, FALSE, total_law)))
  })
  do.call(rbind, rows)
}

# A question that forms ask in different ways: a report of each form counts another number for what it lists.
pooled <- function(asked, columns, forms, levels) {
  d <- max(length(asked$options), 2)
  of_form <- lapply(asked[["asked"]], function(each) lapply(columns, function(column) column[forms == each$form]))
  if (!is.null(asked[["asked"]][[1]]$table$sample)) return(pooled_items(asked, of_form, levels))
  ends <- lapply(asked[["asked"]], function(each) listed(each$table$keep, d, each$table$sizes[[1]]))
  law <- pooled_law(vapply(of_form, function(columns) length(columns[[1]]), 0), ends, d)
  totals <- drop(vapply(of_form, listed_counts, numeric(d), d = d) %*% law$scores)
  n <- length(columns[[1]])
  if (length(asked$options)) return(shares(asked, list(support = totals), list(support = law), n, levels))
  scaled(category(asked$key, "mean", "mean", totals[2], n, law, levels, 1, TRUE, law_of(asked, n, law)), asked)
}

# The items of a grid or the options of a multiple choice: of each the reports of each form that are about it.
pooled_items <- function(asked, of_form, levels) {
  grid <- !is.null(asked$items)
  items <- if (grid) length(asked$items) else length(asked$options)
  d <- if (grid) length(asked$options) else 2
  together <- if (grid) at_once(asked) else items
  width <- length(of_form[[1]]) / items
  reports <- sum(vapply(of_form, function(columns) length(columns[[1]]), 0))
  ends <- lapply(asked[["asked"]], function(each) listed(each$table$keep, d, if (grid) each$table$size else 1))
  item <- function(i) {
    own <- lapply(of_form, function(columns) {
      mine <- columns[(i - 1) * width + seq_len(width)]
      about <- !is.na(mine[[1]])
      lapply(mine, function(column) column[about])
    })
    counts <- vapply(own, function(columns) length(columns[[1]]), 0)
    n <- sum(counts)
    if (!n) return(NULL)
    law <- pooled_law(counts, ends, d)
    totals <- drop(vapply(own, listed_counts, numeric(d), d = d) %*% law$scores)
    key <- if (grid) paste0(asked$key, ".", i) else asked$key
    rows <- lapply(if (grid) seq_len(d) else 2, function(j) category(key, "support",
      asked$options[[if (grid) j else i]], totals[j], n, law, levels, together, n < reports, law_of(asked, n, law)))
    do.call(rbind, rows)
  }
  do.call(rbind, lapply(seq_len(items), item))
}

# The law of the pooled scores of so many reports of each form, by its chances of a 1: means over the reports, what a 1
# counts in each form, and k, how much more sampling adds to the variance than where all forms are one.
pooled_law <- function(counts, ends, d) {
  p <- vapply(ends, function(each) each$a, 0)
  q <- vapply(ends, function(each) each$b, 0)
  middle <- q + (p - q) / d
  scores <- whole_numbers((p - q) / (middle * (1 - middle)))
  n <- sum(counts)
  weights <- counts * scores
  law <- function(chance, score) c(1 - chance, rep(0, score - 1), chance)
  parts <- lapply(seq_along(counts), function(f)
    list(n = counts[f], rows = rbind(law(p[f], scores[f]), law(q[f], scores[f]))))
  list(a = sum(weights * p) / n, v_a = sum(weights * scores * p * (1 - p)) / n,
       b = sum(weights * q) / n, v_b = sum(weights * scores * q * (1 - q)) / n,
       k = n * sum(counts * (scores * (p - q))^2) / sum(weights * (p - q))^2, scores = scores, parts = parts)
}

# Those up to 60 that are within a twentieth of a multiple of these, or as near as that goes.
whole_numbers <- function(best) {
  shares <- best / max(best)
  for (most in 1:60) {
    found <- pmax(1, round(most * shares))
    if (all(20 * abs(found - most * shares) <= most * shares)) break
  }
  found
}

exponential <- function(asked, column, levels) {
  d <- length(asked$options)
  n <- length(column)
  channel <- t(vapply(asked$table$rows, chances, numeric(d)))
  phi <- solve(channel)
  counts <- tabulate(column + 1, d)
  option <- function(j) {
    score <- phi[, j]
    estimate <- sum(score * counts) / n
    square <- sum(score^2 * counts) / n
    theta <- cut01(estimate)
    own <- drop(channel %*% score^2 - (channel %*% score)^2)
    variances <- c(population = clamp(square - theta^2, min(own), max(own) + theta * (1 - theta)),
                   respondents = clamp(square - theta, min(own), max(own)))
    ends <- function(missed) if (asked$every_release) channel_ends(score, counts, diag(d)[j, ], channel, missed / 2) else
      unseen(score, counts, min(score), 1, max(score), 1, missed)
    spans <- lapply(levels, function(level) c(ends(1 - level), ends((1 - level) / at_once(asked))))
    do.call(rbind, lapply(names(variances), function(target) do.call(rbind, Map(function(level, ends)
      row_of(asked$key, "inverse", asked$options[[j]], target, level, estimate, sqrt(variances[[target]] / n), ends),
      levels, spans))))
  }
  do.call(rbind, lapply(seq_len(d), option))
}

laplace_mean <- function(asked, column, levels) {
  rows <- do.call(rbind, lapply(asked$table$rows, chances))
  steps <- nrow(rows) - 1
  n <- length(column)
  beyond <- (ncol(rows) - nrow(rows)) / 2
  y <- seq_len(ncol(rows)) - 1 - beyond
  own <- y >= 0 & y <= steps
  score <- y
  score[own] <- score[own] + solve(rows[, own], 0:steps - drop(rows %*% y))
  score <- score / steps
  counts <- tabulate(column + beyond + 1, length(y))
  estimate <- sum(score * counts) / n
  square <- sum(score^2 * counts) / n
  theta <- cut01(estimate)
  own_noise <- drop(rows %*% score^2 - (rows %*% score)^2)
  errors <- c(population = clamp(square - estimate^2, min(own_noise), max(own_noise) + theta * (1 - theta)),
              respondents = max(own_noise) + 1 / (4 * steps^2))
  first_row <- rows[1, ]
  last_row <- rows[steps + 1, ]
  turned <- rows[rev(seq_len(nrow(rows))), rev(seq_len(ncol(rows)))]
  span <- function(target, level) {
    tail <- (1 - level) / 2
    if (asked$every_release) return(channel_ends(score, counts, (0:steps) / steps, rows, tail))
    if (target == "respondents") {
      above <- farthest(rows, score * steps - y, n, tail)
      below <- farthest(turned, rev(y - score * steps), n, tail)
      return(reach(estimate + c(-above, below) / (n * steps), estimate))
    }
    if (steps <= 7) {
      law <- sum_law(list(list(n = n, rows = rbind(last_row, first_row))), -beyond)
      total <- sum(as.numeric(column))
      possible <- clamp(total, round(n * law$low + law$means[2]), round(n * law$low + law$means[1]))
      return(united(function(one) sum_population(law, one, tail), total, possible))
    }
    unseen(score, counts, score, first_row, score, last_row, 1 - level)
  }
  found <- lapply(names(errors), function(target) do.call(rbind, lapply(levels, function(level)
    row_of(asked$key, "mean", "mean", target, level, estimate, sqrt(errors[[target]] / n), rep(span(target, level), 2)))))
  scaled(do.call(rbind, found), asked)
}

scaled <- function(rows, asked) {
  low <- as.numeric(asked$low)
  width <- as.numeric(asked$high) - low
  for (name in setdiff(NUMBERS, "standard_error")) rows[[name]] <- low + width * rows[[name]]
  rows$standard_error <- width * rows$standard_error
  rows
}

# One option -----------------------------------------------------------------------------------------------------------

category <- function(key, method, option, total, n, law, levels, together, part, total_law = NULL) {
  gap <- law$a - law$b
  estimate <- (total / n - law$b) / gap
  theta <- cut01(estimate)
  own <- (theta * law$v_a + (1 - theta) * law$v_b) / gap^2
  rows <- lapply(c("population", "respondents"), function(target) {
    by <- if (part) "population" else target
    k <- if (is.null(law$k)) 1 else law$k
    sampling <- if (by == "population") k else (k - 1) * n / max(n - 1, 1)
    error <- sqrt((own + sampling * theta * (1 - theta)) / n)
    do.call(rbind, lapply(levels, function(level) {
      possible <- clamp(total, round(n * law$b), round(n * law$a))
      ends <- vapply(c(level, 1 - (1 - level) / together), function(confidence)
        united(function(one) ends_of(one, n, law, total_law, by, (1 - confidence) / 2), total, possible), c(0, 0))
      row_of(key, method, option, target, level, estimate, error, ends)
    }))
  })
  do.call(rbind, rows)
}

ends_of <- function(total, n, law, total_law, by, tail) {
  if (!is.null(total_law$sequence)) return(sequence_ends(total_law, total, by, tail))
  if (!is.null(total_law)) return(if (by == "population") sum_population(total_law, total, tail) else
    sum_respondents(total_law, total, tail))
  if (by == "population") binomial_population(total, n, law, tail) else binomial_respondents(total, n, law, tail)
}

# A data frame as data.frame() makes it, which takes a fifth of all the time.
row_of <- function(key, method, option, target, level, estimate, error, ends) {
  structure(list(question = key, method = method, option = option, target = target, confidence = level,
                 estimate = unname(estimate), standard_error = unname(error),
                 interval_low = ends[1], interval_high = ends[2], simultaneous_low = ends[3], simultaneous_high = ends[4]),
            class = "data.frame", row.names = 1L)
}

clamp <- function(x, low, high) pmin(pmax(x, low), high)
cut01 <- function(x) clamp(x, 0, 1)

# The interval at a total, and where its estimate is impossible also that at the nearest possible one.
united <- function(ends, total, possible) {
  found <- vapply(unique(c(total, possible)), ends, c(0, 0))
  c(min(found[1, ]), max(found[2, ]))
}

# The same where an interval moves with its estimate.
reach <- function(span, estimate) {
  moved <- cut01(estimate) - estimate
  cut01(c(min(span[1], span[1] + moved), max(span[2], span[2] + moved)))
}

# 0/1 scores -----------------------------------------------------------------------------------------------------------

binomial_population <- function(total, n, law, tail) {
  low <- if (total > 0) qbeta(tail, total, n - total + 1) else 0
  high <- if (total < n) qbeta(tail, total + 1, n - total, lower.tail = FALSE) else 1
  cut01((c(low, high) - law$b) / (law$a - law$b))
}

binomial_respondents <- function(total, n, law, tail) {
  at_least <- function(m, count) {
    around <- 10 * sqrt(m * law$a * (1 - law$a)) + 40
    x <- max(0, floor(m * law$a - around)):min(m, ceiling(m * law$a + around))
    sum(dbinom(x, m, law$a) * pbinom(count - x - 1, n - m, law$b, lower.tail = FALSE))
  }
  whole(function(m) at_least(m, total), function(m) at_least(m, total + 1), n, tail)
}

whole <- function(at_least, more, n, tail) {
  low <- first_of(function(m) at_least(m) > tail, 0, n)
  high <- first_of(function(m) 1 - more(m) <= tail, 0, n + 1) - 1
  c(low, max(high, 0)) / n
}

first_of <- function(holds, low, high) {
  while (low < high) {
    middle <- (low + high) %/% 2
    if (holds(middle)) high <- middle else low <- middle + 1
  }
  low
}

# Sums -----------------------------------------------------------------------------------------------------------------

# How many reports have which chances of the score's values, in the option and outside of it.
parts_of <- function(law, n) {
  if (!is.null(law$parts)) return(law$parts)
  list(list(n = n, rows = if (is.null(law$inside)) rbind(c(1 - law$a, law$a), c(1 - law$b, law$b)) else
    rbind(law$inside, law$outside)))
}

lowest <- function(law) if (is.null(law$low)) 0 else law$low

# The law of a sum of whole numbers, so many of each part: `low` and upwards, by its chances.
sum_law <- function(parts, low) {
  parts <- Filter(function(part) part$n > 0, parts)
  counts <- vapply(parts, function(part) part$n, 0)
  widths <- vapply(parts, function(part) ncol(part$rows), 0)
  means <- vapply(parts, function(part) drop(part$rows %*% (seq_len(ncol(part$rows)) - 1)), c(0, 0))
  squares <- vapply(parts, function(part) drop(part$rows %*% (seq_len(ncol(part$rows)) - 1)^2), c(0, 0))
  spread <- apply(squares - means^2, 2, max) + (means[1, ] - means[2, ])^2 / 4
  reach <- 12 * sqrt(sum(counts * spread)) + 3 * max(widths)
  every <- sum(counts * (widths - 1)) + 1
  size <- nextn(max(ceiling(min(every, 2 * reach)), 3), c(3, 5, 7))  # odd: no frequency is its own mirror image
  laws <- lapply(parts, function(part) apply(part$rows, 1, function(law) {
    padded <- c(law, rep(0, -length(law) %% size))
    fft(rowSums(matrix(padded, nrow = size)))[seq_len(size %/% 2 + 1)]
  }))
  sizes <- Reduce(`+`, Map(function(n, law) n * log(pmax(Mod(law[, 1]), Mod(law[, 2]))), counts, laws))
  kept <- which(sizes > log(NEGLIGIBLE))
  list(n = sum(counts), counts = counts, low = low, means = drop(means %*% counts), size = size, whole = size >= every,
       k = kept - 1, laws = lapply(laws, function(law) law[kept, , drop = FALSE]))
}

sum_at_least <- function(law, transform, share, total) {
  size <- law$size
  mean <- share * law$means[1] + (1 - share) * law$means[2]
  start <- if (law$whole) 0 else max(floor(mean - size / 2), 0)
  index <- total - law$n * law$low - start
  if (index <= 0 || index >= size) return(as.numeric(index <= 0))
  k <- law$k[-1]
  wave <- function(turns) exp(2i * pi * ((turns %% size) / size))
  series <- wave(k * (start %% size)) * (1 - wave(k * index)) / (wave(k) - 1)
  (Re(transform[1]) * (size - index) + 2 * sum(Re(transform[-1] * series))) / size
}

sum_mixed <- function(law, share, total) {
  each <- Map(function(n, own) (share * own[, 1] + (1 - share) * own[, 2])^n, law$counts, law$laws)
  sum_at_least(law, Reduce(`*`, each), share, total)
}

sum_fixed <- function(law, m, total) {
  own <- law$laws[[1]]
  transform <- if (length(law$laws) > 1) sum_drawn(law, m) else own[, 1]^m * own[, 2]^(law$n - m)
  sum_at_least(law, transform, m / law$n, total)
}

# The transform where m of all are inside, drawn by lot: that of the sum and of how many are inside where each is with
# the chance m/n, given that m are.
sum_drawn <- function(law, m) {
  share <- m / law$n
  length <- min(law$n, floor(10 * sqrt(law$n * share * (1 - share)) + 40)) + 1
  turns <- seq_len(length) - 1
  waves <- exp(-2i * pi * turns / length)
  each <- lapply(law$laws, function(own) share * outer(own[, 1], waves) + (1 - share) * own[, 2])
  kept <- Reduce(`+`, Map(function(n, one) n * log(Mod(one)), law$counts, each)) > log(NEGLIGIBLE)
  found <- matrix(0i, nrow(kept), length)
  found[kept] <- Reduce(`*`, Map(function(n, one) one[kept]^n, law$counts, each))
  drop(found %*% exp(2i * pi * ((m * turns) %% length) / length)) / length / dbinom(m, law$n, share)
}

sum_population <- function(law, total, tail) {
  c(root(function(share) sum_mixed(law, share, total) - tail, 0, 1),
    root(function(share) tail - 1 + sum_mixed(law, share, total + 1), 0, 1))
}

sum_respondents <- function(law, total, tail) {
  whole(function(m) sum_fixed(law, m, total), function(m) sum_fixed(law, m, total + 1), law$n, tail)
}

# What the noise, the rounding and the corrections of n reports exceed with at most the tail's chance, in steps.
farthest <- function(rows, corrections, n, tail) {
  beyond <- (ncol(rows) - nrow(rows)) / 2
  error <- tail / 1000
  law <- sum_law(list(list(n = n, rows = rbind(c(0, rows[1, ]), c(rows[1, ], 0)))), -beyond)
  most <- tail - error
  half <- first_of(function(total) sum_mixed(law, 0.5, total) <= most, -n * beyond, n * (ncol(rows) - beyond) + 1)
  noise <- max(vapply(c(half - 1, half), function(total) total - n * sum_population(law, total, most)[1], 0))
  times <- n * max(rowSums(rows[, corrections > 1e-9, drop = FALSE]))
  if (times == 0) return(noise)
  more <- -log(error) / 3
  noise + max(corrections, 0) * min(n, times + more + sqrt(more^2 + 6 * more * times))
}

# Every release --------------------------------------------------------------------------------------------------------

# What gives the intervals of a total; NULL where it is a binomial's, at one look.
law_of <- function(asked, n, law) {
  binary <- is.null(law$inside) && is.null(law$parts)
  if (!asked$every_release) return(if (binary) NULL else sum_law(parts_of(law, n), lowest(law)))
  parts <- parts_of(law, n)
  variances <- function(part) {
    values <- lowest(law) + seq_len(ncol(part$rows)) - 1
    max(part$rows %*% values^2 - (part$rows %*% values)^2)
  }
  list(sequence = TRUE, n = n, law = law, binary = binary, parts = parts, spread = max(vapply(parts, variances, 0)))
}

# Intervals that hold at every release: the shares against which there is little evidence. Of pooled scores the
# population's are the respondents' too.
sequence_ends <- function(of, total, by, tail) {
  if (of$binary && by == "population") return(mixture_ends(of$law, of$n, total, tail))
  mixed <- by == "population" || !is.null(of$law$parts)
  sides <- lapply(c(1, -1), function(sign) {
    tilt <- tilts(of$spread, tail, sign)
    logs <- lapply(of$parts, function(part) log_means(lowest(of$law), part$rows, tilt$t))
    function(share) {
      cumulants <- Reduce(`+`, Map(function(part, own) part$n * (if (mixed) log_mix(share, own[1, ], own[2, ]) else
        share * own[1, ] + (1 - share) * own[2, ]), of$parts, logs))
      log_sum(tilt$weights + tilt$t * total - cumulants) + log(tail)
    }
  })
  little(sides[[1]], sides[[2]])
}

# The logarithm of the mean of e^(t score), in the option and outside of it.
log_means <- function(low, rows, t) {
  exponents <- outer(low + seq_len(ncol(rows)) - 1, t)
  highest <- apply(exponents, 2, max) # e to it may be more than a number holds
  t(highest + t(log(rows %*% exp(t(t(exponents) - highest)))))
}

# log(share e^x + (1 - share) e^y)
log_mix <- function(share, x, y) {
  x <- log(share) + x
  y <- log1p(-share) + y
  pmax(x, y) + log1p(exp(-abs(x - y)))
}

mixture_ends <- function(law, n, total, tail) {
  average <- (law$a + law$b) / 2
  strength <- average * (1 - average) / ((law$a - law$b)^2 / 12) - 1
  r <- average * strength
  s <- (1 - average) * strength
  ratio <- lbeta(total + r, n - total + s) - lbeta(r, s)
  nearest <- cut01((total / n - law$b) / (law$a - law$b))
  excess <- function(share) {
    chance <- law$b + (law$a - law$b) * share
    ratio - total * log(chance) - (n - total) * log1p(-chance) + log(2 * tail)
  }
  if (excess(nearest) >= 0) return(c(nearest, nearest))
  c(root(function(x) -excess(x), 0, nearest), root(excess, nearest, 1))
}

# The same for the scores of a channel, whose law is the worst one with this share or mean.
channel_ends <- function(score, counts, positions, rows, tail) {
  n <- sum(counts)
  total <- sum(score * counts)
  spread <- max(rows %*% score^2 - (rows %*% score)^2)
  sides <- lapply(c(1, -1), function(sign) {
    tilt <- tilts(spread, tail, sign)
    powers <- exp(outer(tilt$t, score)) %*% t(rows)
    hulls <- lapply(seq_along(tilt$t), function(k) hull(positions, powers[k, ]))
    function(share, total) {
      cumulants <- log(vapply(hulls, function(corners) approx(corners$x, corners$y, share)$y, 0))
      log_sum(tilt$weights + tilt$t * total - n * cumulants) + log(tail)
    }
  })
  united(function(one) little(function(x) sides[[1]](x, one), function(x) sides[[2]](x, one)), total, clamp(total, 0, n))
}

little <- function(above, below) {
  low <- root(function(x) -above(x), 0, 1)
  high <- root(below, 0, 1)
  if (low <= high) c(low, high) else rep((low + high) / 2, 2)
}

tilts <- function(spread, tail, sign) {
  k <- 0:14
  list(t = sign * sqrt(2 * log(1 / tail) / (32 * spread)) / 2^k, weights = -log((k + 1) * (k + 2)))
}

# The corners of the least concave function above the points.
hull <- function(positions, heights) {
  order <- order(positions, heights)
  x <- numeric(0)
  y <- numeric(0)
  for (i in order) {
    repeat {
      m <- length(x)
      same <- m > 0 && x[m] == positions[i]
      under <- m > 1 && (y[m] - y[m - 1]) * (positions[i] - x[m - 1]) <= (heights[i] - y[m - 1]) * (x[m] - x[m - 1])
      if (!same && !under) break
      x <- x[-m]
      y <- y[-m]
    }
    x <- c(x, positions[i])
    y <- c(y, heights[i])
  }
  list(x = x, y = y)
}

log_sum <- function(logs) max(logs) + log(sum(exp(logs - max(logs))))

# The unseen respondent ------------------------------------------------------------------------------------------------

unseen <- function(score, counts, low, low_law, high, high_law, missed) {
  span <- c(-upper(-score, counts, -low, low_law, missed / 2), upper(score, counts, high, high_law, missed / 2))
  reach(span, sum(score * counts) / sum(counts))
}

upper <- function(score, counts, new, law, tail) {
  v <- score[counts > 0]
  counts <- counts[counts > 0]
  new <- new[law > 0]
  law <- law[law > 0]
  range <- range(c(v, new))
  if (range[1] == range[2]) return(range[2])
  root(function(m) tail - above(v - m, counts, new - m, law), range[1], range[2])
}

# The chance that the sum with these weights is above 0.
above <- function(a, counts, u, law) {
  if (max(a, u) <= 0) return(0)
  if (min(a, u) >= 0) return(1)
  if (sum(a * counts) + sum(u * law) > 0) 1 - beyond(-a, counts, -u, law) else beyond(a, counts, u, law)
}

beyond <- function(a, counts, u, law) {
  end <- 1 / max(a, u)
  line <- end * seq(0.002, 0.75, length.out = 300)
  logs <- -drop(log1p(-outer(line, a)) %*% counts) - log(line) + log(drop((1 / (1 - outer(line, u))) %*% law))
  s0 <- line[which.min(logs)]
  width <- min(end - s0, 1 / sqrt(sum(counts * (a / (1 - a * s0))^2) + 1 / s0^2))
  far <- sum(log1p(-a * s0) * counts)
  values <- function(t) {
    y <- width * sinh(t)
    near <- outer(y, a / (1 - a * s0))
    size <- -far - 0.5 * drop(log1p(near^2) %*% counts)
    s <- complex(real = s0, imaginary = y)
    rest <- drop((1 / (1 - outer(s, u))) %*% law) / s
    Re(exp(size) * exp(1i * drop(atan(near) %*% counts)) * rest) * width * cosh(t)
  }
  step <- 0.5
  t <- seq(0, 43.5, by = step)
  coarse <- values(t)
  coarse[1] <- coarse[1] / 2
  alive <- which(abs(coarse) > 1e-18 * max(abs(coarse)))
  if (!length(alive)) return(0)
  total <- sum(coarse)
  end <- t[max(alive)] + step
  repeat {
    more <- total + sum(values(seq(step / 2, end - step / 4, by = step)))
    before <- total * step
    after <- more * step / 2
    step <- step / 2
    if (abs(after - before) <= 1e-13 * abs(after) + 1e-16 || step <= 1 / 1024) return(after / pi)
    total <- more
  }
}

root <- function(rising, low, high) {
  at_low <- rising(low)
  at_high <- rising(high)
  if (at_low >= 0) return(low)
  if (at_high <= 0) return(high)
  for (turn in 0:199) {
    middle <- low - at_low * (high - low) / (at_high - at_low)
    if (turn %% 3 == 2 || !(low < middle && middle < high)) middle <- (low + high) / 2
    if (!(low < middle && middle < high)) break
    at <- rising(middle)
    if (at == 0) return(middle)
    if (at < 0) { low <- middle; at_low <- at } else { high <- middle; at_high <- at }
  }
  (low + high) / 2
}

# Two questions --------------------------------------------------------------------------------------------------------

NOT_TOGETHER <- "no form asks both, so no one was asked both: they cannot be crossed"
NO_OPTIONS <- "a number that is averaged has no options: it cannot be crossed"
FILLERS <- paste("not everyone was asked all of these, so fillers would count as answers: crossing.json of the release",
                 "and the notebook's reports.crossing describe the people who were asked both of two questions")
IN_WAYS <- paste("the forms that ask all of these randomize them in different ways, some together and some alone, or with",
                 "other chances: that is not computed")

# Return the questions with these keys. The options of a mean are the ends to which its numbers were rounded.
questions_of <- function(codebook, keys) lapply(keys, function(key) {
  known <- Filter(function(each) each$key == key, codebook$questions)
  if (!length(known)) stop("the codebook has no question with the key ", key, call. = FALSE)
  asked <- known[[1]]
  if (!is.null(asked$asked_if)) stop(FILLERS, call. = FALSE)
  if (is.null(asked$options)) asked$options <- list("low", "high")
  asked
})

# Return a question as a form asks it, with its draw.
in_form <- function(asked, codebook, form) {
  draws <- c(codebook$draws, if (length(form)) codebook$forms[[form + 1]]$draws)
  asked$draw <- Filter(function(draw) asked$key %in% texts(draw$questions), draws)[[1]]
  channel <- Filter(function(each) each$form == form, asked[["asked"]])
  if (length(channel)) asked$table <- channel[[1]]$table
  if ("sizes" %in% names(asked$table)) {
    asked$estimation$methods[[1]] <- listed(asked$table$keep, length(asked$options), asked$table$sizes[[1]])
  }
  asked[setdiff(names(asked), "asked")]
}

# Return, for each way in which forms randomize all of these questions, the questions as asked there, and the reports.
ways_of <- function(own, microdata, codebook) {
  stand <- Filter(length, lapply(own, forms_of))
  if (!length(stand)) return(list(list(own = lapply(own, in_form, codebook, NULL), microdata = microdata)))
  forms <- sort(Reduce(intersect, stand))
  if (!length(forms)) stop(NOT_TOGETHER, call. = FALSE)
  keys <- vapply(own, function(asked) asked$key, "")
  each <- lapply(forms, function(form) lapply(own, in_form, codebook, form))
  way <- lapply(each, lapply, function(asked) list(asked$table, intersect(keys, texts(asked$draw$questions))))
  lapply(unique(way), function(one) {
    same <- vapply(way, identical, TRUE, one)
    list(own = each[[which(same)[1]]], microdata = of_forms(microdata, codebook, forms[same]))
  })
}

of_forms <- function(microdata, codebook, forms) microdata[microdata[[codebook$form_column]] %in% forms, , drop = FALSE]

# Return the only one of these ways.
one_way <- function(own, microdata, codebook) {
  ways <- ways_of(own, microdata, codebook)
  if (length(ways) > 1) stop(IN_WAYS, call. = FALSE)
  ways[[1]]
}

# Return the places of each draw's questions.
by_draw <- function(own) {
  draws <- lapply(own, function(asked) texts(asked$draw$questions))
  lapply(unique(draws), function(one) which(vapply(draws, identical, TRUE, one)))
}

# The joint shares of two questions whose reports have a 0/1 score for each option, or an inverted channel.
cross <- function(microdata, codebook, first, second, confidence = 0.95) {
  both <- questions_of(codebook, c(first, second))
  if (any(vapply(both, function(asked) !is.null(asked$low), TRUE))) stop(NO_OPTIONS, call. = FALSE)
  parts <- lapply(ways_of(both, microdata, codebook), function(way) {
    if (length(by_draw(way$own)) == 1) listings(way$microdata, way$own) else crossed(way$microdata, way$own)
  })
  parts <- Filter(function(part) part$n > 0, parts)
  if (!length(parts)) stop("no report is about both of these: they cannot be crossed", call. = FALSE)
  if (all(vapply(parts, function(part) part$one_listed, TRUE))) return(shares_of_cells(parts, both, confidence))
  if (length(parts) > 1) return(weighted_cells(parts, both, confidence))
  table_of_cells(both, confidence, parts[[1]]$atoms)
}

# Two questions with separate draws: a cell's scores and the count of each score.
crossed <- function(microdata, both) {
  sides <- lapply(both, function(asked) side(microdata, asked))
  counts <- crossprod(sides[[1]]$sent, sides[[2]]$sent)
  of_option <- function(side, option, counts) {
    if (is.null(side$phi)) list(phi = side$ends, counts = rbind(counts[1, ] - counts[1 + option, ], counts[1 + option, ]))
    else list(phi = side$phi[, option], counts = counts[-1, , drop = FALSE])
  }
  atoms <- function(j, k) {
    left <- of_option(sides[[1]], j, counts)
    right <- of_option(sides[[2]], k, t(left$counts))
    list(scores = as.vector(outer(right$phi, left$phi)), counts = as.vector(right$counts))
  }
  list(n = nrow(microdata), atoms = atoms, one_listed = FALSE, information = information(both, 1))
}

# The joint shares of all options of two questions, the second's fastest, from the scores of a cell and how often each came.
table_of_cells <- function(both, confidence, atoms_of) {
  together <- length(both[[1]]$options) * length(both[[2]]$options)
  over_cells(both, function(j, k) {
    atoms <- atoms_of(j, k)
    values <- atoms$scores
    came <- atoms$counts
    estimate <- sum(values * came) / sum(came)
    error <- sqrt(max(sum(values^2 * came) / sum(came) - estimate^2, 0) / sum(came))
    ends <- vapply(c(1 - confidence, (1 - confidence) / together), function(missed)
      unseen(values, came, min(values), 1, max(values), 1, missed), c(0, 0))
    c(estimate, error, ends)
  })
}

# A row for each cell, with the NUMBERS that a function finds of it, the second question's options changing fastest.
over_cells <- function(both, numbers_of) {
  places <- expand.grid(k = seq_along(both[[2]]$options), j = seq_along(both[[1]]$options))
  found <- t(mapply(numbers_of, places$j, places$k))
  colnames(found) <- NUMBERS
  data.frame(first = both[[1]]$key, second = both[[2]]$key, option = texts(both[[1]]$options)[places$j],
             other = texts(both[[2]]$options)[places$k], found)
}

# Two questions of one draw: how many of these reports list each option of both, and both options of a cell.
listings <- function(microdata, both) {
  sent <- lapply(both, function(asked) side(microdata, asked)$sent[, -1, drop = FALSE])
  kept <- both[[1]]$table$keep / RESOLUTION
  sizes <- vapply(both, function(asked) asked$table$sizes[[1]], 0)
  part <- list(n = nrow(microdata), kept = kept, lists = lapply(sent, colSums), came = crossprod(sent[[1]], sent[[2]]),
               one_listed = all(sizes == 1), information = information(both, kept))
  scores <- cell_scores(kept, sizes, vapply(sent, ncol, 0L))
  c(part, list(atoms = function(j, k) list(scores = scores, counts = outcomes(part, j, k))))
}

# How many list neither option of a cell, the second alone, the first alone, both; and a cell's score of each.
outcomes <- function(part, j, k) {
  both <- part$came[j, k]
  one <- part$lists[[1]][j] - both
  other <- part$lists[[2]][k] - both
  unname(c(part$n - one - other - both, other, one, both))
}

cell_scores <- function(kept, sizes, d) {
  weights <- lapply(1:2, function(k) weights_of_options(c(0, 1), d[k], sizes[k]))
  (as.vector(outer(weights[[2]], weights[[1]])) - (1 - kept) / prod(d)) / kept
}

# Forms that randomize them in different ways: their reports have other weights.
weighted_cells <- function(parts, both, confidence) {
  weights <- whole_numbers(vapply(parts, function(part) part$information, 0))
  over_cells(both, function(j, k) {
    atoms <- lapply(parts, function(part) part$atoms(j, k))
    came <- unlist(lapply(atoms, function(each) each$counts))
    over <- unlist(Map(function(weight, each) weight * each$scores, weights, atoms))
    under <- rep(weights, vapply(atoms, function(each) length(each$scores), 0L))
    estimate <- sum(over * came) / sum(under * came)
    together <- length(both[[1]]$options) * length(both[[2]]$options)
    ends <- vapply(c(1 - confidence, (1 - confidence) / together), function(missed)
      quotient(over, under, came, missed / 2, estimate), c(0, 0))
    c(estimate, sqrt(sum((over - estimate * under)^2 * came)) / sum(under * came), ends)
  })
}

# Where all reports list one option of each, cells are shares like any other, pooled where forms differ.
shares_of_cells <- function(parts, both, confidence) {
  n <- vapply(parts, function(part) part$n, 0)
  cells <- length(both[[1]]$options) * length(both[[2]]$options)
  laws <- lapply(parts, function(part) listed(part$kept * RESOLUTION, cells, 1))
  law <- if (length(parts) > 1) pooled_law(n, laws, cells) else c(laws[[1]], list(scores = 1))
  sums <- if (length(parts) > 1) sum_law(law$parts, 0)
  over_cells(both, function(j, k) {
    total <- sum(law$scores * vapply(parts, function(part) part$came[j, k], 0))
    unlist(category("", "", "", total, sum(n), law, confidence, cells, FALSE, sums)[1, NUMBERS])
  })
}

# Return a report's information about a cell at equal shares: two questions are kept together with this chance, or apart (1).
information <- function(both, kept) {
  v <- vapply(both, variance_of, 0)
  d <- lengths(lapply(both, function(asked) asked$options))
  1 / (kept^2 * v[1] * v[2] + v[1] / d[2]^2 + v[2] / d[1]^2)
}

# Return the variance of a report's score of an option at equal shares, averaged over the options.
variance_of <- function(asked) {
  d <- length(asked$options)
  if ("rows" %in% names(asked$table)) {
    channel <- t(vapply(asked$table$rows, chances, numeric(d)))
    return(mean(colMeans(channel) %*% solve(channel)^2 - 1 / d^2))
  }
  method <- asked$estimation$methods[[1]]
  noise <- method$a * (1 - method$a) + (d - 1) * method$b * (1 - method$b)
  noise / (d * (method$a - method$b)^2) + (d - 1) / d^2
}

quotient <- function(over, under, came, tail, estimate) {
  chance <- function(sign, t) {
    scores <- sign * (over - t * under)
    above(scores[came > 0], came[came > 0], max(scores), 1)
  }
  ends <- range(over / under)
  low <- root(function(t) chance(-1, t) - tail, ends[1], ends[2])
  reach(c(low, root(function(t) tail - chance(1, t), ends[1], ends[2])), estimate)
}

# For an option that is listed (1) or is not (0): 1 in the mean where it is the truth and the answers were kept, else 0;
# 1/d in the mean where they were not.
weights_of_options <- function(sent, d, size) (sent - size / d) * (d - 1) / (d - size) + 1 / d

side <- function(microdata, asked) {
  names <- vapply(asked$microdata$columns, function(column) column$name, "")
  method <- asked$estimation$methods[[1]]
  known <- way_of(asked) %in% paste(c("keep, sizes", "flip", "flip, magnitude", "rows"), "options", sep = ", ")
  if (!known) stop(asked$key, " cannot be crossed", call. = FALSE)
  options <- texts(asked$options)
  sent <- if (length(names) > 1) as.matrix(microdata[names]) >= 1 else outer(microdata[[names]], seq_along(options) - 1, "==")
  inverted <- way_of(asked) == "rows, options"
  list(options = options, sent = cbind(1, sent),
       phi = if (inverted) solve(t(vapply(asked$table$rows, chances, numeric(length(options))))),
       ends = c(-method$b, 1 - method$b) / (method$a - method$b))
}

# Comparing ------------------------------------------------------------------------------------------------------------

largest_difference <- function(rows, path) {
  published <- read.csv(path, fileEncoding = "UTF-8-BOM")
  # An apostrophe prevents R and pandas from reading a key such as na as a missing value.
  published$question <- sub("^'", "", published$question)
  if (nrow(rows) != nrow(published)) return(Inf)
  for (name in c("question", "method", "target", "confidence")) if (any(rows[[name]] != published[[name]])) return(Inf)
  width <- published$scale_high - published$scale_low
  max(vapply(NUMBERS, function(name) max(abs(rows[[name]] - published[[name]]) / width), 0))
}

# Each form's number of reports against its weight, where all reports of a survey that has ended are there.
retention <- function(forms) {
  came <- vapply(forms, function(form) form$n, 0)
  chance <- vapply(forms, function(form) form$weight, 0)
  chance <- chance / sum(chance)
  n <- sum(came)
  level <- 0.001 / length(forms)
  fewer <- pbinom(came, n, chance)
  more <- pbinom(came - 1, n, chance, lower.tail = FALSE)
  p_value <- pmin(1, 2 * pmin(fewer, more))
  odds <- function(share) share / (1 - share) / (chance / (1 - chance))
  low <- odds(qbeta(level / 2, came, n - came + 1))
  high <- ifelse(came < n, odds(qbeta(level / 2, came + 1, pmax(n - came, 1), lower.tail = FALSE)), Inf)
  data.frame(expected = n * chance, p_value = p_value, direction = ifelse(p_value > level, 0, ifelse(fewer < more, -1, 1)),
             low = low, high = high, missing = pmax(0, 1 - low))
}

# 0 where the codebook says nothing that follows from it: while the survey goes on, where its results may have ended it,
# and where a form's reports were erased.
retention_difference <- function(codebook) {
  forms <- codebook$forms
  unknown <- function(form) is.null(form$retention) || form$n == 0
  if (!length(forms) || isTRUE(codebook$every_release) || any(vapply(forms, unknown, TRUE))) return(0)
  mine <- retention(forms)
  theirs <- do.call(rbind, lapply(forms, function(form) {
    said <- form$retention
    ends <- vapply(said$ratio, function(end) if (is.null(end)) Inf else as.numeric(end), 0)
    data.frame(expected = said$expected, p_value = said$p_value, direction = said$direction,
               low = ends[1], high = ends[2], missing = said$missing)
  }))
  if (any(mine$direction != theirs$direction)) return(Inf)
  apart <- abs(as.matrix(mine) - as.matrix(theirs)) / pmax(1, abs(as.matrix(theirs)))
  max(0, apart[as.matrix(mine) != as.matrix(theirs)])
}

main <- function(arguments) {
  if (!length(arguments) %in% 2:3) stop("Rscript recompute.R microdata.csv codebook.json [estimates.csv]", call. = FALSE)
  rows <- recompute(read_microdata(arguments[1]), read_codebook(arguments[2]))
  if (length(arguments) == 2) {
    for (name in NUMBERS) rows[[name]] <- sprintf("%.17g", rows[[name]])
    return(write.csv(rows, row.names = FALSE, quote = 1:4))
  }
  found <- max(largest_difference(rows, arguments[3]), retention_difference(read_codebook(arguments[2])))
  cat(sprintf("%d rows recomputed; the largest difference is %.2g of a scale's width.\n", nrow(rows), found))
  quit(status = as.integer(found > AGREE))
}

if (sys.nframe() == 0) main(commandArgs(trailingOnly = TRUE))
