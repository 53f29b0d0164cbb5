locals {
  metrics = "logging.googleapis.com/user/${var.prefix}"
  runs_on = "resource.type = \"cloud_run_revision\""

  of_service = {
    for name in local.service_names :
    name => "${local.runs_on} AND resource.labels.service_name = \"${var.prefix}-${name}\""
  }
  any_service = "${local.runs_on} AND resource.labels.service_name = one_of(${join(", ", [for name in sort(local.service_names) : "\"${var.prefix}-${name}\""])})"
  any_queue   = "resource.type = \"cloud_tasks_queue\" AND resource.labels.queue_id = starts_with(\"${var.prefix}-\")"
  # Wake-ups of polls and of pushes are for later by nature: each run that waits has one, and so has each webhook that failed.
  prompt_queue = "resource.type = \"cloud_tasks_queue\" AND resource.labels.queue_id = monitoring.regex.full_match(\"${var.prefix}-(runs|projections)-.+\")"
  polls_queue  = "resource.type = \"cloud_tasks_queue\" AND resource.labels.queue_id = starts_with(\"${var.prefix}-polls-\")"
  log_of_ours  = "${local.runs_on} AND resource.labels.service_name=~\"^${var.prefix}-(${join("|", sort(local.service_names))})$\""

  # Lines that an operator should look at. An alert on a metric that was made a moment ago is refused for up to ten minutes, so
  # these match the lines themselves.
  log_alerts = {
    agent_refuses = {
      event = "agent takes no messages"
      what  = "What this deployment may keep of answers does not suffice for an agent, so it refuses every message. The line names the agent and why."
    }
    approval_waits = {
      event = "approval waits long"
      what  = "The approval that has waited longest has done so for more than ${var.alerts.approval_age_hours} hours. The line names its task and agent; the inbox (npx --no holdfast inbox) shows what it asks."
    }
    card_not_signed = {
      event = "card not signed"
      what  = "The A2A function can't sign its agent cards, and answers 503 to clients that ask for one: a version of card_signing is disabled or gone, is for another algorithm, or the function may not sign with it. The line names the agent and the fault."
    }
    decision_refused = {
      event = "decision refused"
      what  = "A decision that was stored was not carried out: who made it had lost the right to by then, or what it was made for has changed. The run is back in its pause. The line names the task and why."
    }
    delivery_refused = {
      event = "delivery refused"
      what  = "A queue function or the sweeper was called without the token of its one caller, or HOLDFAST_CALLER and HOLDFAST_AUDIENCE of the function are not those of its queue or job: then nothing is worked off."
    }
    fault_in_a2a = {
      event = "a2a.fault"
      what  = "A request failed for a reason of our own, and the caller got an internal error."
    }
    fault_in_operator = {
      event = "operator request failed"
      what  = "An operator's request failed for a reason of our own."
    }
    misrouted = {
      event = "not a wake-up of this function"
      what  = "A queue delivers to the wrong function, or another account calls it: compare the addresses in the functions' environment."
    }
    notices_parked = {
      event = "notice target parked"
      what  = "Whom operators wanted told has taken nothing as often as is tried, so it is told nothing more: what waits is in the inbox only. The line names the target and why; npx --no holdfast notices redeliver has it told again."
    }
    notices_unreachable = {
      event = "notice target unreachable"
      what  = "A target of notices can't be told: its secret is not at hand, or its URL may not be called. The line names the target and why."
    }
    remote_misconfigured = {
      event = "remote is misconfigured"
      what  = "A declared remote agent can't be called as it is declared and configured: each call comes to nothing at once. The line names the agent, the remote and what to set."
    }
    result_not_kept = {
      event = "run ended"
      what  = "A run ended FAILED with RESULT_NOT_KEPT: what may be kept was tightened while it was under way. The line names the task; docs/privacy.md says who may have done that."
    }
    result_not_stored = {
      event = "result not stored"
      what  = "An agent was done and its result could not be stored: the run ended FAILED. Look at Firestore, Cloud Storage and Cloud KMS."
    }
    run_blocked = {
      event = "run is blocked"
      what  = "A run does not go on: a tool, a remote agent or the agent that it waited for is gone or changed. It goes on by itself when that is deployed again, or when an operator lets it. The line names the task, and what it is."
    }
    schedule_stuck = {
      event = "schedule not swept"
      what  = "The sweeper can't make the ticks of a schedule: its agent begins no tasks. The line names the agent, if it is one alone, and the fault."
    }
    segment_not_settled = {
      event = "segment not settled"
      what  = "A worker could not write how its segment ended. Its lease lapses and the run is taken up again."
    }
    send_unknown = {
      event = "send outcome unknown"
      what  = "A message to a remote agent left, and no answer says what became of it. It is not sent again by itself: an operator resends, links or abandons it, or its run goes on at its deadline. The line names the task and the send."
    }
    service_refuses = {
      event = "wake-up failed"
      what  = "Firestore, Cloud Storage, Cloud Tasks or Cloud KMS refuses calls of a function, or a key is not at hand: a permission that is missing or has not spread yet, a disabled key, billing, a perimeter. Nothing ends because of it, but nothing goes on either. The line names the fault."
    }
    stuck_run = {
      event = "row not swept"
      what  = "The sweeper can't act on a run that is due: its task makes no progress. The line names the task and the fault."
    }
    unreadable_pause = {
      event = "pause not readable"
      what  = "What a run waits for a person to decide does not open: the inbox shows the run without it, and it can't be decided. The line names the task."
    }
    unreadable_revision = {
      event = "revision unreadable"
      what  = "A committed revision of a run does not open: its task is shown without it. The line names the task and the revision."
    }
    unreadable_run = {
      event = "row not readable"
      what  = "The row of a run does not parse: it was written by a newer version, or by hand. Its task makes no progress."
    }
    webhook_parked = {
      event = "webhook parked"
      what  = "A webhook of a caller failed as often as it is tried, or can't be read any more, and is told nothing until an operator has it delivered again. The line names the task, the webhook and why."
    }
  }
  # Of some events only these lines. Other faults of a wake-up pass with the queue's next delivery, and many of them are `errors`.
  log_alert_lines = {
    result_not_kept = "jsonPayload.message=\"run ended\" AND jsonPayload.reason=\"RESULT_NOT_KEPT\""
    service_refuses = "jsonPayload.message=(\"wake-up failed\" OR \"segment is tried again\") AND jsonPayload.fault=~\"(Refused|KeyMissing)$\""
  }
  metric_alerts = merge(
    {
      # Each has a limit of its own, hence a condition of its own. The sweeper works alone, and the operator's callers are few.
      for name in concat(["a2a", "worker", "projector", "coordinator", "push"], tolist(local.grpc_names)) : "instances_${name}" => {
        title       = "${name} is near its limit of instances"
        what        = "Requests wait or are refused (429) when all instances are busy. Raise ${name}.max_instances."
        filter      = "${local.of_service[name]} AND metric.type = \"run.googleapis.com/container/instance_count\" AND metric.labels.state = \"active\""
        denominator = null
        aligner     = "ALIGN_MAX"
        reducer     = "REDUCE_SUM"
        group       = ["resource.labels.service_name"]
        above       = max(1, floor(var.alerts.instances_ratio * local.sizes[name].max_instances))
        duration    = "600s"
      }
    },
    {
      # One condition for all functions: conditions are what alerting is billed by.
      errors = {
        title       = "a function answers 5xx"
        what        = "More than ${var.alerts.server_error_ratio * 100} % of a function's requests failed in the last five minutes. Queue functions answer 503 when Firestore, Cloud Storage or Cloud KMS fail, and the queue tries again."
        filter      = "${local.any_service} AND metric.type = \"run.googleapis.com/request_count\" AND metric.labels.response_code_class = \"5xx\""
        denominator = "${local.any_service} AND metric.type = \"run.googleapis.com/request_count\""
        aligner     = "ALIGN_RATE"
        reducer     = "REDUCE_SUM"
        group       = ["resource.labels.service_name"]
        above       = var.alerts.server_error_ratio
        duration    = "300s"
      }
      memory = {
        title       = "a function is short of memory"
        what        = "Instances of a function use more than ${var.alerts.memory_ratio * 100} % of their memory. One that runs out ends with every request and stream on it."
        filter      = "${local.any_service} AND metric.type = \"run.googleapis.com/container/memory/utilizations\""
        denominator = null
        aligner     = "ALIGN_DELTA"
        reducer     = "REDUCE_PERCENTILE_99"
        group       = ["resource.labels.service_name"]
        above       = var.alerts.memory_ratio
        duration    = "300s"
      }
      latency_a2a = {
        title       = "half of the A2A requests are slow"
        what        = "Streams and blocking calls are meant to last, so this looks at the median."
        filter      = "${local.of_service["a2a"]} AND metric.type = \"run.googleapis.com/request_latencies\""
        denominator = null
        aligner     = "ALIGN_DELTA"
        reducer     = "REDUCE_PERCENTILE_50"
        group       = ["resource.labels.service_name"]
        above       = var.alerts.a2a_latency_seconds * 1000
        duration    = "600s"
      }
      queue_age = {
        title       = "wake-ups are delivered late"
        what        = "One delivery in twenty comes more than ${var.alerts.delivery_delay_seconds} s after its time. The function of the queue is slow, fails, or is short of instances."
        filter      = "${local.any_queue} AND metric.type = \"cloudtasks.googleapis.com/queue/task_attempt_delays\""
        denominator = null
        aligner     = "ALIGN_DELTA"
        reducer     = "REDUCE_PERCENTILE_95"
        group       = ["resource.labels.queue_id"]
        above       = var.alerts.delivery_delay_seconds * 1000
        duration    = "600s"
      }
      queue_depth = {
        title       = "a queue is deep"
        what        = "More than ${var.alerts.queue_depth} wake-ups wait in one queue, those for later times included."
        filter      = "${local.prompt_queue} AND metric.type = \"cloudtasks.googleapis.com/queue/depth\""
        denominator = null
        aligner     = "ALIGN_MEAN"
        reducer     = "REDUCE_SUM"
        group       = ["resource.labels.queue_id"]
        above       = var.alerts.queue_depth
        duration    = "600s"
      }
      polls_depth = {
        title       = "many runs wait for remote agents"
        what        = "More than ${var.alerts.polls_depth} wake-ups wait in one queue of the coordinator's; each run that waits for a remote agent has two, for later times. Remote agents are slow, or the coordinator does not look."
        filter      = "${local.polls_queue} AND metric.type = \"cloudtasks.googleapis.com/queue/depth\""
        denominator = null
        aligner     = "ALIGN_MEAN"
        reducer     = "REDUCE_SUM"
        group       = ["resource.labels.queue_id"]
        above       = var.alerts.polls_depth
        duration    = "600s"
      }
    },
  )
}

resource "google_monitoring_alert_policy" "metric" {
  for_each = var.alerts.enabled ? local.metric_alerts : {}

  project               = var.project_id
  display_name          = "${var.prefix}: ${each.value.title}"
  combiner              = "OR"
  severity              = contains(["errors", "memory"], each.key) ? "ERROR" : "WARNING"
  notification_channels = var.alerts.notification_channels
  user_labels           = local.labels

  documentation {
    mime_type = "text/markdown"
    content   = each.value.what
  }

  conditions {
    display_name = each.value.title

    condition_threshold {
      filter             = each.value.filter
      denominator_filter = each.value.denominator
      comparison         = "COMPARISON_GT"
      threshold_value    = each.value.above
      duration           = each.value.duration

      aggregations {
        alignment_period     = "60s"
        per_series_aligner   = each.value.aligner
        cross_series_reducer = each.value.reducer
        group_by_fields      = each.value.group
      }

      dynamic "denominator_aggregations" {
        for_each = each.value.denominator == null ? [] : [each.value]

        content {
          alignment_period     = "60s"
          per_series_aligner   = denominator_aggregations.value.aligner
          cross_series_reducer = denominator_aggregations.value.reducer
          group_by_fields      = denominator_aggregations.value.group
        }
      }

      trigger {
        count = 1
      }
    }
  }

  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [google_project_service.main]
}

# Without the sweeper a lost wake-up or a lost worker goes unnoticed.
resource "google_monitoring_alert_policy" "sweeper_silent" {
  count = var.alerts.enabled ? 1 : 0

  project               = var.project_id
  display_name          = "${var.prefix}: the sweeper is silent"
  combiner              = "OR"
  severity              = "CRITICAL"
  notification_channels = var.alerts.notification_channels
  user_labels           = local.labels

  documentation {
    mime_type = "text/markdown"
    content   = "No sweep has succeeded for ${var.alerts.sweeper_silent_minutes} minutes: lost wake-ups, workers that are gone and deadlines are not acted on. Look at the scheduler job ${var.prefix}-sweep and the log of ${var.prefix}-sweeper."
  }

  conditions {
    display_name = "no successful sweep"

    condition_absent {
      filter   = "${local.of_service["sweeper"]} AND metric.type = \"run.googleapis.com/request_count\" AND metric.labels.response_code_class = \"2xx\""
      duration = "${var.alerts.sweeper_silent_minutes * 60}s"

      aggregations {
        alignment_period     = "60s"
        per_series_aligner   = "ALIGN_RATE"
        cross_series_reducer = "REDUCE_SUM"
        group_by_fields      = ["resource.labels.service_name"]
      }

      trigger {
        count = 1
      }
    }
  }

  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [google_project_service.main]
}

resource "google_monitoring_alert_policy" "log" {
  for_each = var.alerts.enabled ? local.log_alerts : {}

  project               = var.project_id
  display_name          = "${var.prefix}: ${replace(each.key, "_", " ")}"
  combiner              = "OR"
  severity              = "ERROR"
  notification_channels = var.alerts.notification_channels
  user_labels           = local.labels

  documentation {
    mime_type = "text/markdown"
    content   = each.value.what
  }

  conditions {
    display_name = each.value.event

    condition_matched_log {
      filter = "${local.log_of_ours} AND ${lookup(local.log_alert_lines, each.key, "jsonPayload.message=\"${each.value.event}\"")}"
    }
  }

  alert_strategy {
    auto_close = "86400s"

    notification_rate_limit {
      period = "${var.alerts.log_notification_rate_limit_seconds}s"
    }
  }

  depends_on = [google_project_service.main]
}
