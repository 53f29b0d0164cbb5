locals {
  # Each line of a chart: what, how it is aligned and summed, and by what it is split.
  charts = [
    {
      title = "Requests by function and class of answer"
      lines = [{ filter = "${local.any_service} AND metric.type = \"run.googleapis.com/request_count\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["resource.label.service_name", "metric.label.response_code_class"] }]
    },
    {
      title = "A2A operations: 95th percentile (ms)"
      lines = [{ filter = "${local.runs_on} AND metric.type = \"${local.metrics}/request_milliseconds\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_PERCENTILE_95", by = ["metric.label.operation"] }]
    },
    {
      title = "Requests: median (ms)"
      lines = [{ filter = "${local.any_service} AND metric.type = \"run.googleapis.com/request_latencies\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_PERCENTILE_50", by = ["resource.label.service_name"] }]
    },
    {
      title = "Instances"
      lines = [{ filter = "${local.any_service} AND metric.type = \"run.googleapis.com/container/instance_count\"", aligner = "ALIGN_MAX", reducer = "REDUCE_SUM", by = ["resource.label.service_name", "metric.label.state"] }]
    },
    {
      title = "Instances: memory used, 99th percentile"
      lines = [{ filter = "${local.any_service} AND metric.type = \"run.googleapis.com/container/memory/utilizations\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_PERCENTILE_99", by = ["resource.label.service_name"] }]
    },
    {
      title = "Queues: depth"
      lines = [{ filter = "${local.any_queue} AND metric.type = \"cloudtasks.googleapis.com/queue/depth\"", aligner = "ALIGN_MEAN", reducer = "REDUCE_SUM", by = ["resource.label.queue_id"] }]
    },
    {
      title = "Queues: delay of deliveries, 95th percentile (ms)"
      lines = [{ filter = "${local.any_queue} AND metric.type = \"cloudtasks.googleapis.com/queue/task_attempt_delays\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_PERCENTILE_95", by = ["resource.label.queue_id"] }]
    },
    {
      title = "Queues: deliveries by answer"
      lines = [{ filter = "${local.any_queue} AND metric.type = \"cloudtasks.googleapis.com/queue/task_attempt_count\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.response_code"] }]
    },
    {
      title = "Runs that ended, by status"
      lines = [{ filter = "${local.runs_on} AND metric.type = \"${local.metrics}/run_ended\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.status"] }]
    },
    {
      title = "Segments begun, tried again, and runs taken from lost workers"
      lines = [for metric in ["segment_began", "segment_again", "run_taken"] :
        { filter = "${local.runs_on} AND metric.type = \"${local.metrics}/${metric}\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = [] }
      ]
    },
    {
      title = "Waits for remote agents that ended, by how"
      lines = [{ filter = "${local.runs_on} AND metric.type = \"${local.metrics}/dependency_resolved\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.resolution"] }]
    },
    {
      title = "Remote agents: calls without a usable answer, by reason"
      lines = [{ filter = "${local.runs_on} AND metric.type = \"${local.metrics}/remote_not_answered\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.reason"] }]
    },
    {
      title = "For a person: sends whose outcome is not known, decisions that were refused"
      lines = [for metric in ["send_unknown", "decision_refused"] :
        { filter = "${local.runs_on} AND metric.type = \"${local.metrics}/${metric}\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = [] }
      ]
    },
    {
      title = "Operators' requests: 95th percentile (ms)"
      lines = [{ filter = "${local.runs_on} AND metric.type = \"${local.metrics}/operator_milliseconds\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_PERCENTILE_95", by = ["metric.label.operation"] }]
    },
    {
      title = "Trouble: rows not swept, results not stored, wake-ups failed or not handed over, projections and progress put off"
      lines = [for metric in ["row_not_swept", "result_not_stored", "delivery_failed", "wake_up_failed", "wake_up_not_handed_on", "projection_put_off", "progress_put_off", "lease_not_renewed"] :
        { filter = "${local.runs_on} AND metric.type = \"${local.metrics}/${metric}\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = [] }
      ]
    },
    {
      title = "Sweeper: rows that were due (its lag)"
      lines = [{ filter = "${local.runs_on} AND metric.type = \"${local.metrics}/swept_rows\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_PERCENTILE_99", by = [] }]
    },
    {
      title = "Sweeper: sweeps by class of answer"
      lines = [{ filter = "${local.of_service["sweeper"]} AND metric.type = \"run.googleapis.com/request_count\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.response_code_class"] }]
    },
    {
      title = "Cost: billed instance time (s/s)"
      lines = [{ filter = "${local.any_service} AND metric.type = \"run.googleapis.com/container/billable_instance_time\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["resource.label.service_name"] }]
    },
    {
      title = "Cost: documents read and written (project)"
      lines = [for metric in ["read_ops_count", "write_ops_count"] :
        { filter = "resource.type = \"firestore.googleapis.com/Database\" AND resource.labels.database_id = \"${google_firestore_database.main.name}\" AND metric.type = \"firestore.googleapis.com/document/${metric}\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = [] }
      ]
    },
    {
      title = "Cost: bytes stored"
      lines = [{ filter = "resource.type = \"gcs_bucket\" AND resource.labels.bucket_name = \"${google_storage_bucket.content.name}\" AND metric.type = \"storage.googleapis.com/storage/total_bytes\"", aligner = "ALIGN_MEAN", reducer = "REDUCE_SUM", by = ["metric.label.storage_class"] }]
    },
  ]
}

resource "google_monitoring_dashboard" "main" {
  project = var.project_id

  dashboard_json = jsonencode({
    displayName = "Holdfast ${var.prefix}"
    mosaicLayout = {
      columns = 12
      tiles = [
        # What is zero or empty is left out, because Google's answer leaves it out, too: otherwise every plan would find a difference.
        for position, chart in local.charts : merge(position % 2 == 0 ? {} : { xPos = 6 }, position < 2 ? {} : { yPos = floor(position / 2) * 4 }, {
          width                                                                     = 6
          height                                                                    = 4
          widget = {
            title = chart.title
            xyChart = {
              dataSets = [
                for line in chart.lines : {
                  plotType = "LINE"
                  timeSeriesQuery = {
                    timeSeriesFilter = {
                      filter = line.filter
                      aggregation = merge(length(line.by) == 0 ? {} : { groupByFields = line.by }, {
                        alignmentPeriod    = "60s"
                        perSeriesAligner   = line.aligner
                        crossSeriesReducer = line.reducer
                      })
                    }
                  }
                }
              ]
            }
          }
        })
      ]
    }
  })

  depends_on = [google_logging_metric.event, google_logging_metric.measure]
}
