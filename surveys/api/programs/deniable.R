# A client of a Deniable site in one file, which needs R 4 and curl alone: draft, open, share, end, read.
#
#   source("deniable.R")
#   site <- deniable("https://survey.example.org", token)      # a token of /account/tokens/
#   survey <- begin_survey(site, draft)                        # draft: a list, as /api/v1/draft-schema says
#   open_survey(site, survey$number)
#   survey_state(site, survey$number)$link
#
# Each function returns the answer of the URL beside it, as lists; the site's page /api/ describes the fields. An error
# stops with its rules. Requests that create something have a key of their own, so that they are done only once, even if
# a connection breaks and the request is sent again.

deniable <- function(site, token = "") list(api = paste0(sub("/+$", "", site), "/api/v1"), token = token)

# Requests -------------------------------------------------------------------------------------------------------------

# Status and text of an answer. An address begins below /api/v1, or is whole where the site named it. The token goes to
# curl in a file that only this user can read: everyone on a machine can read a command's arguments.
send <- function(site, method, address, body = NULL, key = NULL) {
  whole <- startsWith(address, "http")
  if (whole && !startsWith(address, paste0(site$api, "/"))) stop(address, " is not of this site", call. = FALSE)
  folder <- tempfile("deniable")
  dir.create(folder, mode = "0700")
  on.exit(unlink(folder, recursive = TRUE))
  file <- function(name) file.path(folder, name)
  headers <- c(
    if (nzchar(site$token)) paste("Authorization: Bearer", site$token),
    if (!is.null(key)) paste("Idempotency-Key:", key),
    if (!is.null(body)) "Content-Type: application/json"
  )
  writeLines(headers, file("headers"))
  if (!is.null(body)) writeLines(enc2utf8(to_json(body)), file("body"), useBytes = TRUE)
  again <- if (method != "POST" || !is.null(key)) c("--retry", "4", "--retry-connrefused", "--retry-max-time", "120")
  arguments <- c(
    "-sS", "-X", method, again, "-H", paste0("@", file("headers")),
    if (!is.null(body)) c("--data-binary", paste0("@", file("body"))),
    "-o", file("answer"), "-w", "%{http_code}", if (whole) address else paste0(site$api, address)
  )
  status <- suppressWarnings(system2("curl", shQuote(arguments), stdout = TRUE))
  if (length(status) != 1 || status == "000") stop("the site does not answer", call. = FALSE)
  size <- if (file.exists(file("answer"))) file.size(file("answer")) else 0
  list(status = as.integer(status), bytes = if (size > 0) readBin(file("answer"), "raw", size) else raw(0))
}

text_of <- function(answer) {
  text <- rawToChar(answer$bytes)
  Encoding(text) <- "UTF-8"
  text
}

ask <- function(site, method, address, body = NULL, key = NULL) {
  answer <- send(site, method, address, body, key)
  text <- text_of(answer)
  data <- if (nzchar(text)) from_json(text)
  if (answer$status >= 400) {
    rules <- vapply(data$rules, function(each) paste0(each$field, ": ", each$rule), "")
    reason <- if (length(rules)) paste(rules, collapse = "; ") else data$detail
    stop(answer$status, " ", sub(".*/", "", data$type), ": ", reason, call. = FALSE)
  }
  data
}

get_json <- function(site, address) ask(site, "GET", address)
create <- function(site, address, body) ask(site, "POST", address, body, new_key())
new_key <- function() paste(c("r", sprintf("%02x", as.integer(random_bytes(16)))), collapse = "")

# From the system's generator, which set.seed leaves alone.
random_bytes <- function(n) {
  source <- file("/dev/urandom", "rb", raw = TRUE)
  on.exit(close(source))
  readBin(source, "raw", n)
}

get_rows <- function(site, address) {
  answer <- send(site, "GET", address)
  if (answer$status != 200) stop(answer$status, " at ", address, call. = FALSE)
  read.csv(text = text_of(answer), encoding = "UTF-8", check.names = FALSE)
}

wait_for <- function(ready, seconds = 600, pause = 1) {
  until <- Sys.time() + seconds
  while (is.null(given <- ready())) {
    if (Sys.time() > until) stop("not ready after ", seconds, " seconds", call. = FALSE)
    Sys.sleep(pause)
  }
  given
}

# The studio -----------------------------------------------------------------------------------------------------------

# `survey` is a number. (Named so that R does not take an argument “n” for it.)
studio <- function(survey, of = "") paste0("/studio/", survey, of)

begin_survey <- function(site, draft) create(site, "/studio", list(draft = draft))                # POST /studio
begin_from_template <- function(site, template) create(site, "/studio", list(template = template))
copy_survey <- function(site, survey) create(site, "/studio", list(copy_of = survey))
survey_state <- function(site, survey) get_json(site, studio(survey))                             # GET /studio/<number>
change_settings <- function(site, survey, ...) ask(site, "PATCH", studio(survey), list(...))      # PATCH the same
read_draft <- function(site, survey) get_json(site, studio(survey, "/draft"))                     # GET draft
replace_draft <- function(site, survey, draft, mark) {
  ask(site, "PUT", studio(survey, "/draft"), list(draft = draft, mark = mark))
}
draft_history <- function(site, survey) get_json(site, studio(survey, "/history"))$items           # GET history
go_back <- function(site, survey, number) {                                                        # POST history/<number>/return
  mark <- read_draft(site, survey)$mark
  ask(site, "POST", studio(survey, paste0("/history/", number, "/return")), list(mark = mark))
}
undo_change <- function(site, survey) {                                                            # POST undo
  step <- get_json(site, studio(survey, "/undo"))$step
  if (!is.null(step)) ask(site, "POST", studio(survey, "/undo"), list(step = step))
}
question_bank <- function(site, survey, words = "") {                                              # GET bank
  get_json(site, studio(survey, paste0("/bank?words=", utils::URLencode(words, reserved = TRUE))))$items
}
take_question <- function(site, survey, from, key) {                                               # POST bank
  create(site, studio(survey, "/bank"), list(survey = from, key = key))
}
survey_comments <- function(site, survey) get_json(site, studio(survey, "/comments"))$items       # GET comments
write_comment <- function(site, survey, text, question = "") {                                    # POST comments
  create(site, studio(survey, "/comments"), list(text = text, question = question))
}
survey_preview <- function(site, survey) get_json(site, studio(survey, "/preview"))                # GET preview
survey_trial <- function(site, survey, seed = 1) {                                                 # GET trial
  get_json(site, studio(survey, paste0("/trial?seed=", seed)))$items
}
test_answers <- function(site, survey) get_json(site, studio(survey, "/tests"))$items              # GET tests
send_test_answer <- function(site, survey, report) {                                               # POST tests
  report$digest <- paste0("test-", sub("^test-", "", report$digest))
  create(site, studio(survey, "/tests"), list(report = report))
}
forget_test_answers <- function(site, survey) ask(site, "DELETE", studio(survey, "/tests"))        # DELETE tests
import_remarks <- function(site, survey) get_json(site, studio(survey, "/imported"))$remarks       # GET imported
tick_import_remark <- function(site, survey, number, done = TRUE) {                                # PATCH imported/<number>
  ask(site, "PATCH", studio(survey, paste0("/imported/", number)), list(done = done))
}
dismiss_import <- function(site, survey) ask(site, "DELETE", studio(survey, "/imported"))          # DELETE imported
close_survey <- function(site, survey) ask(site, "POST", studio(survey, "/closing"))              # POST closing
new_version <- function(site, survey, wave = FALSE) ask(site, "POST", studio(survey, "/versions"), list(wave = wave))
survey_privacy <- function(site, survey) get_json(site, studio(survey, "/privacy"))               # GET privacy
propose <- function(site, survey, total, ...) {
  ask(site, "POST", studio(survey, "/privacy/proposal"), list(total = total, ...))
}
survey_people <- function(site, survey) get_json(site, studio(survey, "/people"))                 # GET people
role_link <- function(site, survey, role) create(site, studio(survey, "/people/invitations"), list(role = role))
survey_jobs <- function(site, survey) get_json(site, studio(survey, "/jobs"))$items               # GET jobs
survey_evidence <- function(site, survey) get_json(site, studio(survey, "/evidence"))$files       # GET evidence

# POST opening, of the draft as it is; opens_at, closes_at, closes_after, points, batch.
open_survey <- function(site, survey, ...) {
  draft <- read_draft(site, survey)
  lacks <- vapply(draft$missing, function(each) paste0(each$field, ": ", each$rule), "")
  if (length(lacks)) stop(paste(lacks, collapse = "; "), call. = FALSE)
  ask(site, "POST", studio(survey, "/opening"), list(digest = draft$digest, ...))
}

# PUT privacy/proposal, of the draft as it is: n, points, widths, own, crossed, which.
take_proposal <- function(site, survey, total, ...) {
  mark <- survey_privacy(site, survey)$mark
  ask(site, "PUT", studio(survey, "/privacy/proposal"), list(mark = mark, total = total, ...))
}

# PUT privacy/questions/<key>/alpha.
set_alpha <- function(site, survey, key, alpha, ...) {
  mark <- survey_privacy(site, survey)$mark
  ask(site, "PUT", studio(survey, paste0("/privacy/questions/", key, "/alpha")), list(mark = mark, alpha = alpha, ...))
}

# Results --------------------------------------------------------------------------------------------------------------

survey_results <- function(slug, of = "") paste0("/surveys/", slug, of)

wait_for_release <- function(site, slug, seconds = 600) {
  wait_for(function() get_json(site, survey_results(slug))$latest, seconds)
}
estimates <- function(site, slug) get_rows(site, survey_results(slug, "/releases/latest/estimates.csv"))
codebook <- function(site, slug) get_json(site, survey_results(slug, "/releases/latest/codebook"))

# Other tables of a release, such as "shares", "trend", "covariances", "comparisons".
release_rows <- function(site, slug, of) get_rows(site, survey_results(slug, paste0("/releases/latest/", of, ".csv")))

# What a worker counts on request, once it has: "crossings/<first>/<second>", "subgroups/<key>".
count_rows <- function(site, slug, of, seconds = 600) {
  address <- survey_results(slug, paste0("/releases/latest/", of))
  ask(site, "POST", address)
  wait_for(function() if (send(site, "GET", address)$status == 200) TRUE, seconds)
  get_rows(site, paste0(address, ".csv"))
}

invite <- function(site, slug, count, ...) {
  unlist(create(site, survey_results(slug, "/invitations"), list(count = count, ...))$links)
}

# JSON -----------------------------------------------------------------------------------------------------------------

# Lists with names are objects, others arrays; a vector of one value is that value, of several an array; I(x) is an
# array whatever its length; NULL is null.
to_json <- function(value) {
  if (is.null(value)) return("null")
  if (is.list(value) && !is.null(names(value))) {
    fields <- paste0(vapply(names(value), quoted, ""), ": ", vapply(value, to_json, ""))
    return(paste0("{", paste(fields, collapse = ", "), "}"))
  }
  if (is.list(value) || length(value) != 1 || inherits(value, "AsIs")) {
    return(paste0("[", paste(vapply(unname(as.list(value)), to_json, ""), collapse = ", "), "]"))
  }
  if (is.logical(value)) return(if (value) "true" else "false")
  if (is.numeric(value)) return(format(value, digits = 15, scientific = FALSE, trim = TRUE))
  quoted(value)
}

quoted <- function(text) {
  text <- enc2utf8(as.character(text))
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  for (each in list(c("\n", "\\n"), c("\r", "\\r"), c("\t", "\\t"))) text <- gsub(each[1], each[2], text, fixed = TRUE)
  paste0("\"", text, "\"")
}

from_json <- function(text) {
  pattern <- "\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|[][{},:]"
  tokens <- regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]
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
