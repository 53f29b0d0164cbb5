locals {
  # Lines of the structured log that are counted. Their words are those that the code writes; a test keeps the two in step.
  events = {
    agent_error           = { event = "agent error", label = "fault" }
    delivery_failed       = { event = "delivery failed", label = "fault" }
    decision_refused      = { event = "decision refused", label = null }
    dependency_resolved   = { event = "dependency resolved", label = "resolution" }
    lease_not_renewed     = { event = "lease not renewed", label = "fault" }
    progress_put_off      = { event = "progress not committed", label = "fault" }
    projection_put_off    = { event = "projection put off", label = "fault" }
    remote_not_answered   = { event = "remote did not answer", label = "reason" }
    result_not_stored     = { event = "result not stored", label = "fault" }
    row_not_swept         = { event = "row not swept", label = "fault" }
    run_ended             = { event = "run ended", label = "status" }
    run_taken             = { event = "run taken from a lost worker", label = null }
    segment_again         = { event = "segment is tried again", label = "fault" }
    segment_began         = { event = "segment began", label = null }
    send_unknown          = { event = "send outcome unknown", label = null }
    wake_up_failed        = { event = "wake-up failed", label = "fault" }
    wake_up_not_handed_on = { event = "wake-up not handed over", label = "fault" }
  }
  # Numbers in the log, as distributions.
  measures = {
    operator_milliseconds = { event = "operator.request", field = "milliseconds", label = "operation", unit = "ms" }
    request_milliseconds  = { event = "a2a.request", field = "milliseconds", label = "operation", unit = "ms" }
    run_milliseconds      = { event = "run ended", field = "milliseconds", label = "status", unit = "ms" }
    segment_milliseconds  = { event = "segment ended", field = "milliseconds", label = "status", unit = "ms" }
    segment_waited        = { event = "segment ended", field = "waited", label = null, unit = "ms" }
    swept_rows            = { event = "swept", field = "rows", label = null, unit = "1" }
  }
}

resource "google_logging_metric" "event" {
  for_each = local.events

  project     = var.project_id
  name        = "${var.prefix}/${each.key}"
  description = "Log lines \"${each.value.event}\"."
  filter      = "${local.log_of_ours} AND jsonPayload.message=\"${each.value.event}\""

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
    unit        = "1"

    dynamic "labels" {
      for_each = each.value.label == null ? [] : [each.value.label]

      content {
        key        = labels.value
        value_type = "STRING"
      }
    }
  }
  label_extractors = each.value.label == null ? null : { (each.value.label) = "EXTRACT(jsonPayload.${each.value.label})" }

  depends_on = [google_project_service.main]
}

resource "google_logging_metric" "measure" {
  for_each = local.measures

  project         = var.project_id
  name            = "${var.prefix}/${each.key}"
  description     = "The field ${each.value.field} of log lines \"${each.value.event}\"."
  filter          = "${local.log_of_ours} AND jsonPayload.message=\"${each.value.event}\""
  value_extractor = "EXTRACT(jsonPayload.${each.value.field})"

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "DISTRIBUTION"
    unit        = each.value.unit

    dynamic "labels" {
      for_each = each.value.label == null ? [] : [each.value.label]

      content {
        key        = labels.value
        value_type = "STRING"
      }
    }
  }
  bucket_options {
    exponential_buckets {
      num_finite_buckets = 32
      growth_factor      = 2
      scale              = 1
    }
  }
  label_extractors = each.value.label == null ? null : { (each.value.label) = "EXTRACT(jsonPayload.${each.value.label})" }

  depends_on = [google_project_service.main]
}
