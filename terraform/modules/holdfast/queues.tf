locals {
  # A queue takes no more than its function can: answers 429 and 503 slow the whole queue down.
  capacity = {
    runs        = var.worker.max_instances * var.worker.concurrency
    projections = var.projector.max_instances * var.projector.concurrency
    polls       = var.coordinator.max_instances * var.coordinator.concurrency
    pushes      = var.push.max_instances * var.push.concurrency
  }

  # The name of a deleted queue is blocked for up to three days, hence the generation. The code makes the same names (queueId in shared/gcp/tasks/route.ts).
  queues = merge([
    for class in local.queue_classes : {
      for shard in range(var.queues.shards) : "${class}-${shard}" => {
        class      = class
        name       = "${var.prefix}-${class}-${var.queue_generation}-${shard}"
        concurrent = min(5000, max(1, floor(local.capacity[class] / var.queues.shards)))
      }
    }
  ]...)
}

resource "google_cloud_tasks_queue" "main" {
  for_each = local.queues

  project       = var.project_id
  location      = var.region
  name          = each.value.name
  desired_state = var.queues.paused ? "PAUSED" : "RUNNING"
  # Protected: a queue of an older generation is left to run empty.
  deletion_policy = var.deletion_protection ? "ABANDON" : "DELETE"

  rate_limits {
    max_concurrent_dispatches = each.value.concurrent
    max_dispatches_per_second = var.queues.max_dispatches_per_second
  }

  # Without a limit of attempts or time: the row counts its attempts, and the queue never decides that a run is lost.
  retry_config {
    max_attempts       = -1
    max_retry_duration = "0s"
    min_backoff        = "${var.queues.min_backoff_seconds}s"
    max_backoff        = "${var.queues.max_backoff_seconds}s"
    max_doublings      = 8
  }

  stackdriver_logging_config {
    sampling_ratio = var.queues.log_sampling
  }

  depends_on = [google_project_service.main]
}
