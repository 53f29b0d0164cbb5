locals {
  sizes = merge({
    a2a         = var.a2a
    worker      = var.worker
    projector   = var.projector
    coordinator = var.coordinator
    push        = var.push
    operator    = var.operator
    sweeper     = var.sweeper
  }, { for name in local.grpc_names : name => var.grpc })

  # People and agents call these from where they are; the others are called by Google's services of the same project.
  own_ingress = {
    a2a      = var.a2a.ingress
    operator = var.operator.ingress
  }

  # One table with functions/deployment.ts: each function gets exactly the variables that its code reads.
  environment = {
    GOOGLE_CLOUD_PROJECT      = var.project_id
    HOLDFAST_ANSWER_CEILING   = var.privacy.answer_ceiling
    HOLDFAST_AUDIT_CEILING    = var.privacy.audit_ceiling
    HOLDFAST_BUCKET           = google_storage_bucket.content.name
    HOLDFAST_COORDINATOR_URL  = local.urls["coordinator"]
    HOLDFAST_DATABASE         = google_firestore_database.main.name
    HOLDFAST_INVOKER          = google_service_account.caller["invoker"].email
    HOLDFAST_KMS              = local.kms_key
    HOLDFAST_LOCATION         = var.region
    HOLDFAST_LOG              = var.log_level
    HOLDFAST_METRICS          = var.metrics.export
    HOLDFAST_PROJECTOR_URL    = local.urls["projector"]
    HOLDFAST_PUSH_URL         = local.urls["push"]
    HOLDFAST_QUEUE_GENERATION = tostring(var.queue_generation)
    HOLDFAST_QUEUE_PREFIX     = var.prefix
    HOLDFAST_QUEUE_SHARDS     = tostring(var.queues.shards)
    HOLDFAST_REDACTOR         = var.privacy.redactor
    HOLDFAST_TRACES           = var.traces.export
    HOLDFAST_WORKER_URL       = local.urls["worker"]
  }
  metering = var.metrics.export == "off" ? {} : {
    # Said in full, because the base URL may be that of the traces.
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT = "${var.metrics.export == "google" ? "https://telemetry.googleapis.com" : trimsuffix(var.metrics.endpoint, "/")}/v1/metrics"
  }
  tracing = var.traces.export == "off" ? {} : {
    for name, value in {
      OTEL_EXPORTER_OTLP_ENDPOINT = var.traces.endpoint
      OTEL_TRACES_SAMPLER         = var.traces.sampler
      OTEL_TRACES_SAMPLER_ARG     = tostring(var.traces.ratio)
    } : name => value if value != null
  }
  # `blockingCap` is read from HOLDFAST_BLOCKING_CAP.
  settings = {
    for name, value in var.settings :
    "HOLDFAST_${upper(replace(name, "/([A-Z])/", "_$1"))}" => tostring(value)
  }
  # What stands before the A2A function; `signature`: nothing does.
  before_a2a = var.access.iap_audience != null ? "iap" : var.allow_unauthenticated ? "signature" : "iam"
  open_a2a   = local.before_a2a == "signature" && contains(var.access.ways, "open")

  # Who calls, and who has looked at it. Cloud Run checks each caller of the other functions by IAM, because none of them has `allUsers`
  # among its invokers; what it has checked is in X-Serverless-Authorization if that is there, else in Authorization. The code believes what
  # is stated here and guesses nothing (docs/decisions/0018-the-header-that-was-checked.md).
  caller_environment = merge(
    {
      for name, caller in local.deliveries : name => {
        HOLDFAST_AUDIENCE = local.urls[name]
        HOLDFAST_CALLER   = google_service_account.caller[caller].email
        HOLDFAST_CALLERS  = "iam"
      }
    },
    {
      a2a = {
        HOLDFAST_AUDIENCE = local.urls["a2a"]
        HOLDFAST_CALLERS  = local.before_a2a
      }
      operator = {
        HOLDFAST_AUDIENCE = local.urls["operator"]
        HOLDFAST_CALLERS  = var.operator.iap_audience == null ? "iam" : "iap"
      }
    },
  )
  remote_files = "/etc/holdfast/remotes"
  # Absent means no operator, and no place.
  remote_environment = {
    for name, value in {
      HOLDFAST_REMOTE_FILES   = length(var.remote_secrets) == 0 ? null : local.remote_files
      HOLDFAST_OPERATORS      = length(var.operators) == 0 ? null : jsonencode(var.operators)
      HOLDFAST_REMOTE_PRIVATE = length(var.remote_private) == 0 ? null : join(",", sort(var.remote_private))
    } : name => value if value != null
  }
  notice_files = "/etc/holdfast/notices"
  # Secrets of targets, by the name under which the code knows them: that of the target.
  notice_secrets = { for target in var.notices : target.name => target.secret if target.secret != null }
  notice_targets = [
    for target in var.notices : {
      for name, value in merge(target, { secret = target.secret == null ? null : target.name }) : name => value if value != null
    }
  ]
  notices_environment = length(var.notices) == 0 ? {} : { HOLDFAST_NOTICES = jsonencode(local.notice_targets) }
  push_notices = length(var.notices) == 0 ? {} : merge(
    { HOLDFAST_CONSOLE_URL = coalesce(var.operator.console_url, local.urls["operator"]) },
    length(local.notice_secrets) == 0 ? {} : { HOLDFAST_NOTICE_FILES = local.notice_files },
  )
  # How long an approval may wait, looked at by the sweeper alone.
  approval_age = var.alerts.enabled && var.alerts.approval_age_hours > 0 ? {
    HOLDFAST_APPROVAL_AGE = tostring(floor(var.alerts.approval_age_hours * 3600000))
  } : {}
  # What each function reads as files, by the folder of each.
  secret_files = {
    for name in local.function_names : name => merge(
      contains(local.remote_callers, name) ? { for key, of in var.remote_secrets : "${local.remote_files}/${key}" => of } : {},
      name == "push" ? { for key, of in local.notice_secrets : "${local.notice_files}/${key}" => of } : {},
    )
  }
  model_prices = {
    for name, prices in var.model_prices : name => {
      for key, value in { input = prices.input, output = prices.output, cachedInput = prices.cached_input } :
      key => value if value != null
    }
  }
  prices_environment = {
    for name, value in {
      HOLDFAST_MODEL_PRICES = length(var.model_prices) == 0 ? null : jsonencode(local.model_prices)
    } : name => value if value != null
  }
  own_environment = {
    worker = local.prices_environment
    operator = merge(local.prices_environment, {
      for name, value in {
        HOLDFAST_GCLOUD_USERS = var.operator.gcloud_users ? "true" : null
        HOLDFAST_IAP_AUDIENCE = var.operator.iap_audience
      } : name => value if value != null
    })
    a2a = {
      for name, value in {
        HOLDFAST_ACCESS            = join(",", sort(var.access.ways))
        HOLDFAST_DRAFT             = var.a2a.draft ? "true" : null
        HOLDFAST_TRACEABILITY      = var.a2a.traceability ? "true" : null
        HOLDFAST_GCLOUD_USERS      = var.access.gcloud_users ? "true" : null
        HOLDFAST_GRPC_URL          = local.grpc_address
        HOLDFAST_IAP_AUDIENCE      = var.access.iap_audience
        HOLDFAST_ISSUERS           = length(var.access.issuers) == 0 ? null : jsonencode([for each in var.access.issuers : { for name, value in each : name => value if value != null }])
        HOLDFAST_OPEN_ANYWAY       = var.access.open_anyway ? "true" : null
        HOLDFAST_IDEMPOTENCY       = var.a2a.idempotency
        HOLDFAST_V03               = var.a2a.v03 ? "true" : null
        HOLDFAST_ALLOW_ORIGIN      = length(var.a2a.allow_origins) > 0 ? join(",", var.a2a.allow_origins) : null
        HOLDFAST_ALLOW_HOST        = length(var.a2a.allow_hosts) > 0 ? join(",", var.a2a.allow_hosts) : null
        HOLDFAST_CHECK_INPUT_MODES = var.a2a.check_input_modes ? "true" : null
        HOLDFAST_CARD_SIGNERS      = length(local.card_keys) > 0 ? join(",", local.card_keys) : null
      } : name => value if value != null
    }
    # With the first of these it signs what webhooks are told.
    push = merge(
      local.push_notices,
      length(local.card_keys) > 0 ? { HOLDFAST_CARD_SIGNERS = join(",", local.card_keys) } : {},
    )
  }

  function_environment = {
    for name in local.function_names : name => merge(
      # Not every environment of Cloud Run tells a process what it may take.
      name == "a2a" ? { HOLDFAST_MEMORY = tostring(floor(local.memory_mib["a2a"] * pow(1024, 2))) } : {},
      local.environment,
      name == "sweeper" ? local.approval_age : {},
      contains(["push", "operator", "sweeper"], name) ? local.notices_environment : {},
      lookup(local.caller_environment, name, {}),
      local.settings,
      local.tracing,
      local.metering,
      # Remote agents are told to report there, and agents of one deployment may find one another by it.
      contains(["a2a", "worker", "coordinator", "push", "operator"], name) ? { HOLDFAST_BASE_URL = coalesce(var.a2a.base_url, local.urls["a2a"]) } : {},
      contains(local.remote_callers, name) ? local.remote_environment : {},
      try(local.own_environment[name], {}),
    )
  }
}

resource "google_cloudfunctions2_function" "main" {
  for_each = local.function_names

  project      = var.project_id
  location     = var.region
  name         = "${var.prefix}-${each.value}"
  description  = "Holdfast ${each.value}"
  kms_key_name = one(var.cmek[*].key)
  labels       = merge(local.labels, { function = each.value })

  build_config {
    runtime           = var.runtime
    entry_point       = each.value
    service_account   = google_service_account.build.id
    docker_repository = google_artifact_registry_repository.main.id
    worker_pool       = var.build_worker_pool

    source {
      storage_source {
        bucket = google_storage_bucket_object.package[each.value].bucket
        object = google_storage_bucket_object.package[each.value].name
      }
    }

    # Security updates of the runtime's image come without a deployment.
    automatic_update_policy {}
  }

  service_config {
    available_cpu                    = local.sizes[each.value].cpu
    available_memory                 = local.sizes[each.value].memory
    timeout_seconds                  = local.sizes[each.value].timeout_seconds
    min_instance_count               = local.sizes[each.value].min_instances
    max_instance_count               = local.sizes[each.value].max_instances
    max_instance_request_concurrency = local.sizes[each.value].concurrency
    ingress_settings                 = lookup(local.own_ingress, each.value, var.private_ingress)
    all_traffic_on_latest_revision   = true
    service_account_email            = google_service_account.function[each.value].email
    binary_authorization_policy      = var.binary_authorization

    environment_variables = local.function_environment[each.value]

    # As files: no value is in an environment, and a new version is read without a deployment.
    dynamic "secret_volumes" {
      for_each = local.secret_files[each.value]

      content {
        mount_path = secret_volumes.key
        project_id = var.project_id
        secret     = secret_volumes.value.secret

        versions {
          path    = "value"
          version = secret_volumes.value.version
        }
      }
    }

    direct_vpc_egress = one(var.network[*].egress)

    dynamic "direct_vpc_network_interface" {
      for_each = var.network[*]

      content {
        network    = direct_vpc_network_interface.value.network
        subnetwork = direct_vpc_network_interface.value.subnetwork
        tags       = direct_vpc_network_interface.value.tags
      }
    }
  }

  # A function that starts before its grants are there fails until they are.
  depends_on = [
    google_cloud_tasks_queue_iam_member.enqueuer,
    google_firestore_index.main,
    google_kms_crypto_key_iam_member.card,
    google_kms_crypto_key_iam_member.function,
    google_project_iam_member.database,
    google_project_iam_member.metrics,
    google_project_iam_member.models,
    google_project_iam_member.redaction,
    google_project_iam_member.traces,
    google_project_service.main,
    google_secret_manager_secret_iam_member.function,
    google_secret_manager_secret_iam_member.notice,
    google_secret_manager_secret_iam_member.remote,
    google_service_account_iam_member.act_as_invoker,
    google_storage_bucket_iam_member.content,
    time_sleep.build_grants,
    time_sleep.key_grants,
  ]

  lifecycle {
    precondition {
      condition     = local.sizes[each.value].concurrency == 1 || tonumber(local.sizes[each.value].cpu) >= 1
      error_message = "${each.value}: more than one request at a time needs at least one CPU."
    }
    precondition {
      condition     = each.value != "a2a" || !local.open_a2a || var.access.open_anyway || length(var.packages["a2a"].costly_agents) == 0
      error_message = "Anyone on the internet could make agents that spend money, or whose owners decide, do so (${join(", ", var.packages["a2a"].costly_agents)}): take `open` out of access.ways, or allow_unauthenticated away; or set access.open_anyway, if that is meant."
    }
    precondition {
      condition     = alltrue([for rule in lookup(local.rules, each.value, []) : rule.holds])
      error_message = join(" ", [for rule in lookup(local.rules, each.value, []) : rule.says if !rule.holds])
    }
  }
}
