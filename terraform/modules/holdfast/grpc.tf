# The A2A edge over gRPC, where var.grpc asks for it. The port of a function gets HTTP/1.1; one called `h2c` gets HTTP/2, and only a service has
# one (https://cloud.google.com/run/docs/configuring/http2). It is the edge of the A2A function once more: its identity, its rights and its
# variables, but for who has looked at a caller.
locals {
  grpc_names   = toset(var.grpc == null ? [] : ["grpc"])
  grpc_host    = "${var.prefix}-grpc-${local.project_number}.${var.region}.run.app"
  grpc_address = var.grpc == null ? null : coalesce(var.grpc.address, "${local.grpc_host}:443")
  # No proxy of ours stands before it.
  grpc_ways = setsubtract(var.access.ways, ["iap"])
  open_grpc = var.grpc != null && var.allow_unauthenticated && contains(var.access.ways, "open")

  grpc_environment = var.grpc == null ? {} : merge(
    { for name, value in local.function_environment["a2a"] : name => value if name != "HOLDFAST_IAP_AUDIENCE" },
    {
      HOLDFAST_ACCESS   = join(",", sort(local.grpc_ways))
      HOLDFAST_AUDIENCE = "https://${local.grpc_host}"
      HOLDFAST_CALLERS  = var.allow_unauthenticated ? "signature" : "iam"
    },
    contains(keys(var.settings), "memory") ? {} : { HOLDFAST_MEMORY = tostring(floor(local.memory_mib["grpc"] * pow(1024, 2))) },
  )
  grpc_ingress = {
    ALLOW_ALL               = "INGRESS_TRAFFIC_ALL"
    ALLOW_INTERNAL_AND_GCLB = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
    ALLOW_INTERNAL_ONLY     = "INGRESS_TRAFFIC_INTERNAL_ONLY"
  }
}

resource "google_cloud_run_v2_service" "grpc" {
  for_each = local.grpc_names

  project     = var.project_id
  location    = var.region
  name        = "${var.prefix}-grpc"
  description = "Holdfast ${each.value}"
  ingress     = local.grpc_ingress[var.a2a.ingress]
  labels      = merge(local.labels, { function = each.value })
  # A token for the A2A function is one for this service, too.
  custom_audiences = [coalesce(var.a2a.base_url, local.urls["a2a"])]
  # It holds nothing, and goes when var.grpc does.
  deletion_protection = false

  dynamic "binary_authorization" {
    for_each = var.binary_authorization[*]

    content {
      policy      = binary_authorization.value == "default" ? null : binary_authorization.value
      use_default = binary_authorization.value == "default" ? true : null
    }
  }

  template {
    encryption_key                   = one(var.cmek[*].key)
    max_instance_request_concurrency = var.grpc.concurrency
    service_account                  = google_service_account.function["a2a"].email
    timeout                          = "${var.grpc.timeout_seconds}s"

    scaling {
      max_instance_count = var.grpc.max_instances
      min_instance_count = var.grpc.min_instances
    }

    containers {
      image = var.grpc.image

      ports {
        name           = "h2c"
        container_port = 8080
      }

      resources {
        cpu_idle          = true
        limits            = { cpu = var.grpc.cpu, memory = var.grpc.memory }
        startup_cpu_boost = true
      }

      startup_probe {
        failure_threshold = 60
        period_seconds    = 1
        timeout_seconds   = 1

        grpc {
          port = 8080
        }
      }

      dynamic "env" {
        for_each = local.grpc_environment

        content {
          name  = env.key
          value = env.value
        }
      }
    }

    dynamic "vpc_access" {
      for_each = var.network[*]

      content {
        egress = trimprefix(vpc_access.value.egress, "VPC_EGRESS_")

        network_interfaces {
          network    = vpc_access.value.network
          subnetwork = vpc_access.value.subnetwork
          tags       = vpc_access.value.tags
        }
      }
    }
  }

  # Beside what the A2A function waits for, that function itself: it makes the data that this one reads.
  depends_on = [google_cloudfunctions2_function.main]

  lifecycle {
    precondition {
      condition     = length(local.grpc_ways) > 0
      error_message = "grpc: Identity-Aware Proxy does not stand before the gRPC service, so callers need another of access.ways besides iap."
    }
    precondition {
      condition     = !local.open_grpc || var.access.open_anyway || length(var.packages["a2a"].costly_agents) == 0
      error_message = "Anyone on the internet could make agents that spend money, or whose owners decide, do so over gRPC: take `open` out of access.ways, or allow_unauthenticated away; or set access.open_anyway, if that is meant."
    }
    precondition {
      condition     = alltrue([for rule in local.rules["grpc"] : rule.holds])
      error_message = join(" ", [for rule in local.rules["grpc"] : rule.says if !rule.holds])
    }
  }
}

# Those who may call the A2A function may call it in this way, too.
resource "google_cloud_run_service_iam_member" "grpc" {
  for_each = var.grpc == null ? toset([]) : local.invokers

  project  = var.project_id
  location = var.region
  service  = google_cloud_run_v2_service.grpc["grpc"].name
  role     = "roles/run.invoker"
  member   = each.value

  lifecycle {
    replace_triggered_by = [google_cloud_run_v2_service.grpc["grpc"].id]
  }
}
