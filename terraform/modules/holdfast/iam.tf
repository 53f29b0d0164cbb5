locals {
  # Who hands wake-ups over. The projector works them off, and hands over what webhooks are to be told; push hands over its next attempts.
  enqueuers = toset(["a2a", "worker", "projector", "coordinator", "push", "operator", "sweeper"])
  # These two hand over to the queues of pushes alone.
  pushes_only = ["projector", "push"]

  # Who accepts a message makes a data key; who scrubs a run, or fails one that does not open, gives it a new one. Projector and push only
  # open them.
  key_roles = {
    a2a         = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
    worker      = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
    projector   = "roles/cloudkms.cryptoKeyDecrypter"
    coordinator = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
    push        = "roles/cloudkms.cryptoKeyDecrypter"
    operator    = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
    sweeper     = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
  }

  # Who makes something public redacts it first, where the policy says so.
  redacting = var.privacy.redactor == "dlp" ? toset(["a2a", "worker", "coordinator", "operator", "sweeper"]) : toset([])

  # Who runs agents: the operator's function does when it carries a decision out at once.
  asking = var.vertex_ai ? toset(["operator", "worker"]) : toset([])

  # Identities that call functions.
  callers = {
    invoker   = "delivers wake-ups from the queues"
    scheduler = "calls the sweeper"
  }
  deliveries = {
    worker      = "invoker"
    projector   = "invoker"
    coordinator = "invoker"
    push        = "invoker"
    sweeper     = "scheduler"
  }

  grants_on_queues = merge([
    for name in local.enqueuers : {
      for queue, of in local.queues : "${name}/${queue}" => { function = name, queue = queue }
      if !contains(local.pushes_only, name) || of.class == "pushes"
    }
  ]...)

  fetch_bucket = "projects/_/buckets/gcf-v2-sources-${local.project_number}-${var.region}"

  invokers = setunion(var.invokers, var.allow_unauthenticated ? ["allUsers"] : [])
}

resource "google_service_account" "function" {
  for_each = local.function_names

  project      = var.project_id
  account_id   = "${var.prefix}-${each.value}"
  display_name = "Holdfast ${each.value}"
  description  = "Identity of the function ${var.prefix}-${each.value}."

  depends_on = [google_project_service.main]
}

resource "google_service_account" "caller" {
  for_each = local.callers

  project      = var.project_id
  account_id   = "${var.prefix}-${each.key}"
  display_name = "Holdfast ${each.key}"
  description  = "Identity that ${each.value}."

  depends_on = [google_project_service.main]
}

resource "google_service_account" "build" {
  project      = var.project_id
  account_id   = "${var.prefix}-build"
  display_name = "Holdfast build"
  description  = "Identity that builds the functions' containers."

  depends_on = [google_project_service.main]
}

# Sensitive Data Protection has no resources to grant on: its content methods are the project's.
resource "google_project_iam_member" "redaction" {
  for_each = local.redacting

  project = var.project_id
  role    = "roles/dlp.user"
  member  = google_service_account.function[each.value].member
}

# Google's own models have no resources to grant on either.
resource "google_project_iam_member" "models" {
  for_each = local.asking

  project = var.project_id
  role    = "roles/aiplatform.user"
  member  = google_service_account.function[each.value].member
}

# Spans are the project's, too.
resource "google_project_iam_member" "traces" {
  for_each = var.traces.export == "google" ? local.function_names : toset([])

  project = var.project_id
  role    = "roles/telemetry.tracesWriter"
  member  = google_service_account.function[each.value].member
}

resource "google_project_iam_member" "metrics" {
  for_each = var.metrics.export == "google" ? local.function_names : toset([])

  project = var.project_id
  role    = "roles/telemetry.metricsWriter"
  member  = google_service_account.function[each.value].member
}

# Firestore has no grants of its own: this one is the project's, held to the one database by its condition.
resource "google_project_iam_member" "database" {
  for_each = local.function_names

  project = var.project_id
  role    = "roles/datastore.user"
  member  = google_service_account.function[each.value].member

  condition {
    title       = "${var.prefix}-database"
    description = "Only the database ${google_firestore_database.main.name}."
    expression = join(" && ", [
      "resource.type == \"firestore.googleapis.com/Database\"",
      "resource.name == \"projects/${var.project_id}/databases/${google_firestore_database.main.name}\"",
    ])
  }
}

# Create, read and overwrite: the archive of a task is written anew when the task has moved on.
resource "google_storage_bucket_iam_member" "content" {
  for_each = local.function_names

  bucket = google_storage_bucket.content.name
  role   = "roles/storage.objectUser"
  member = google_service_account.function[each.value].member
}

resource "google_kms_crypto_key_iam_member" "function" {
  for_each = local.key_roles

  crypto_key_id = local.kms_key
  role          = each.value
  member        = google_service_account.function[each.key].member
}

# The A2A function signs cards and shows the public key; push signs what webhooks are told.
resource "google_kms_crypto_key_iam_member" "card" {
  for_each = var.card_signing == null ? toset([]) : toset(["a2a", "push"])

  crypto_key_id = local.card_key
  role          = "roles/cloudkms.signerVerifier"
  member        = google_service_account.function[each.value].member
}

resource "google_cloud_tasks_queue_iam_member" "enqueuer" {
  for_each = local.grants_on_queues

  project  = var.project_id
  location = google_cloud_tasks_queue.main[each.value.queue].location
  name     = google_cloud_tasks_queue.main[each.value.queue].name
  role     = "roles/cloudtasks.enqueuer"
  member   = google_service_account.function[each.value.function].member
}

# A task that carries the invoker's token may be created only by who may act as the invoker.
resource "google_service_account_iam_member" "act_as_invoker" {
  for_each = local.enqueuers

  service_account_id = google_service_account.caller["invoker"].name
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.function[each.value].member
}

# On the Cloud Run service behind the function: on the function itself the API refuses this role.
resource "google_cloud_run_service_iam_member" "delivery" {
  for_each = local.deliveries

  project  = var.project_id
  location = var.region
  service  = google_cloudfunctions2_function.main[each.key].name
  role     = "roles/run.invoker"
  member   = google_service_account.caller[each.value].member

  lifecycle {
    # A new service has no grants.
    replace_triggered_by = [google_cloudfunctions2_function.main[each.key].id]
  }
}

resource "google_cloud_run_service_iam_member" "caller" {
  for_each = local.invokers

  project  = var.project_id
  location = var.region
  service  = google_cloudfunctions2_function.main["a2a"].name
  role     = "roles/run.invoker"
  member   = each.value

  lifecycle {
    replace_triggered_by = [google_cloudfunctions2_function.main["a2a"].id]
  }
}

resource "google_cloud_run_service_iam_member" "operator" {
  for_each = var.operator.invokers

  project  = var.project_id
  location = var.region
  service  = google_cloudfunctions2_function.main["operator"].name
  role     = "roles/run.invoker"
  member   = each.value

  lifecycle {
    replace_triggered_by = [google_cloudfunctions2_function.main["operator"].id]
  }
}

check "callers_are_authenticated" {
  assert {
    condition     = !local.open_a2a
    error_message = "allow_unauthenticated is true, and access.ways holds open: anyone on the internet can send messages to the agents and cause cost, and all who show nothing are one caller, who sees every task of that caller."
  }
}

resource "google_project_iam_member" "build_logs" {
  project = var.project_id
  role    = "roles/logging.logWriter"
  member  = google_service_account.build.member
}

# Cloud Functions copies each zip into a bucket of its own, which it makes at the first deployment, and the build fetches it from there. With a
# customer-managed key it is another bucket, whose name goes on with -CMEK-.
resource "google_project_iam_member" "build_fetch" {
  project = var.project_id
  role    = "roles/storage.objectViewer"
  member  = google_service_account.build.member

  condition {
    title       = "${var.prefix}-build-fetch"
    description = "Only the buckets from which Cloud Functions builds in ${var.region}."
    expression = join(" || ", [
      "resource.name == \"${local.fetch_bucket}\"",
      "resource.name.startsWith(\"${local.fetch_bucket}/\")",
      "resource.name.startsWith(\"${local.fetch_bucket}-CMEK-\")",
    ])
  }
}

resource "google_storage_bucket_iam_member" "build_source" {
  bucket = google_storage_bucket.source.name
  role   = "roles/storage.objectViewer"
  member = google_service_account.build.member
}

resource "google_artifact_registry_repository_iam_member" "build_images" {
  project    = var.project_id
  location   = google_artifact_registry_repository.main.location
  repository = google_artifact_registry_repository.main.name
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.build.member
}

resource "google_secret_manager_secret_iam_member" "function" {
  for_each = merge([
    for secret, of in var.secrets : {
      for name in of.read_by : "${secret}/${name}" => { secret = secret, function = name }
    }
  ]...)

  project   = var.project_id
  secret_id = google_secret_manager_secret.main[each.value.secret].secret_id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.function[each.value.function].member
}

# Credentials for remote agents. Who reads one of the module's own secrets anyway has its grant above.
resource "google_secret_manager_secret_iam_member" "remote" {
  for_each = merge([
    for secret in toset([for of in values(var.remote_secrets) : of.secret]) : {
      for name in local.remote_callers : "${secret}/${name}" => { secret = secret, function = name }
      if !contains(try(var.secrets[trimprefix(secret, "${var.prefix}-")].read_by, []), name) || !startswith(secret, "${var.prefix}-")
    }
  ]...)

  project   = var.project_id
  secret_id = each.value.secret
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.function[each.value.function].member

  depends_on = [google_project_service.main, google_secret_manager_secret.main]
}

# Where notices go, for the one function that sends them.
resource "google_secret_manager_secret_iam_member" "notice" {
  for_each = toset([
    for of in values(local.notice_secrets) : of.secret
    if !contains(try(var.secrets[trimprefix(of.secret, "${var.prefix}-")].read_by, []), "push") || !startswith(of.secret, "${var.prefix}-")
  ])

  project   = var.project_id
  secret_id = each.value
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.function["push"].member

  depends_on = [google_project_service.main, google_secret_manager_secret.main]
}

resource "google_kms_crypto_key_iam_member" "agent" {
  for_each = local.key_agents

  crypto_key_id = each.value.key
  role          = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
  member        = "serviceAccount:service-${local.project_number}@${each.value.agent}.iam.gserviceaccount.com"

  depends_on = [google_project_service.main]
}
