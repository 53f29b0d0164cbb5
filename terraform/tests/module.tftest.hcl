# Needs neither a project nor credentials: terraform init -backend=false && terraform test

mock_provider "time" {}

mock_provider "google" {
  mock_data "google_project" {
    defaults = {
      number = "123456789012"
    }
  }

  # What grants are checked against: a mock's own values are random text.
  mock_resource "google_service_account" {
    defaults = {
      email  = "holdfast@acme-agents.iam.gserviceaccount.com"
      id     = "projects/acme-agents/serviceAccounts/holdfast@acme-agents.iam.gserviceaccount.com"
      member = "serviceAccount:holdfast@acme-agents.iam.gserviceaccount.com"
      name   = "projects/acme-agents/serviceAccounts/holdfast@acme-agents.iam.gserviceaccount.com"
    }
  }
  mock_resource "google_kms_key_ring" {
    defaults = {
      id = "projects/acme-agents/locations/europe-west1/keyRings/holdfast"
    }
  }
  mock_resource "google_kms_crypto_key" {
    defaults = {
      id = "projects/acme-agents/locations/europe-west1/keyRings/holdfast/cryptoKeys/data"
    }
  }
  mock_resource "google_artifact_registry_repository" {
    defaults = {
      id = "projects/acme-agents/locations/europe-west1/repositories/holdfast"
    }
  }
}

variables {
  project_id    = "acme-agents"
  region        = "europe-west1"
  packages_file = "tests/fixture/packages.json"
  packages = {
    a2a         = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    coordinator = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    operator    = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    projector   = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    push        = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    sweeper     = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    worker      = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
  }
}

run "the_root_passes_on_what_it_is_given" {
  command = plan

  variables {
    prefix = "agents"
  }

  assert {
    condition     = output.endpoint == "https://agents-a2a-123456789012.europe-west1.run.app"
    error_message = "the address of the A2A function follows from prefix, project and region"
  }
}

run "defaults_are_safe" {
  command = plan

  module {
    source = "./modules/holdfast"
  }

  assert {
    condition     = length(google_cloud_run_service_iam_member.caller) == 0
    error_message = "no member may call the agents unless named"
  }
  assert {
    condition = alltrue([
      for name, function in google_cloudfunctions2_function.main :
      function.service_config[0].ingress_settings == "ALLOW_INTERNAL_ONLY" if !contains(["a2a", "operator"], name)
    ])
    error_message = "only the functions that agents and people call may be reached from outside"
  }
  assert {
    condition     = length(google_cloud_run_service_iam_member.operator) == 0 && length(google_secret_manager_secret_iam_member.remote) == 0
    error_message = "no member is an operator and no secret is readable unless named"
  }
  assert {
    condition     = !contains(keys(google_cloudfunctions2_function.main["operator"].service_config[0].environment_variables), "HOLDFAST_OPERATORS")
    error_message = "no operator may do anything unless named"
  }
  assert {
    condition     = google_firestore_database.main.delete_protection_state == "DELETE_PROTECTION_ENABLED" && google_firestore_database.main.deletion_policy == "ABANDON"
    error_message = "the database must be protected unless asked otherwise"
  }
  assert {
    condition     = google_firestore_database.main.point_in_time_recovery_enablement == "POINT_IN_TIME_RECOVERY_ENABLED"
    error_message = "the database must be recoverable to a point in time"
  }
  assert {
    condition     = google_storage_bucket.content.public_access_prevention == "enforced" && google_storage_bucket.content.uniform_bucket_level_access && !google_storage_bucket.content.force_destroy
    error_message = "the bucket must be private and must not be emptied by destroy"
  }
  assert {
    condition     = google_kms_crypto_key.main[0].rotation_period == "7776000s" && google_kms_crypto_key.main[0].deletion_policy == "PREVENT"
    error_message = "the key must rotate and must not be destroyed"
  }
  assert {
    condition     = alltrue([for queue in google_cloud_tasks_queue.main : queue.retry_config[0].max_attempts == -1])
    error_message = "a queue must never give a wake-up up"
  }
  assert {
    condition     = google_cloud_scheduler_job.sweep.schedule == "* * * * *"
    error_message = "the sweeper must be called every minute"
  }
  assert {
    condition     = google_cloudfunctions2_function.main["a2a"].service_config[0].max_instance_request_concurrency == 80 && google_cloudfunctions2_function.main["worker"].service_config[0].max_instance_request_concurrency == 8
    error_message = "concurrency is never left to the platform's default of 1"
  }

  assert {
    condition     = length(google_project_iam_member.models) == 0 && !contains(keys(google_project_service.main), "aiplatform.googleapis.com")
    error_message = "no function may ask models of Vertex AI unless that is asked for"
  }
}

run "what_is_asked_for_is_there" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    deletion_protection = false
    invokers            = ["group:agents@example.com"]
  }

  assert {
    condition     = google_firestore_database.main.deletion_policy == "DELETE" && google_storage_bucket.content.force_destroy && google_kms_crypto_key.main[0].deletion_policy == "DELETE"
    error_message = "without protection, destroy must leave nothing behind"
  }
  assert {
    condition     = [for grant in google_cloud_run_service_iam_member.caller : grant.member] == ["group:agents@example.com"]
    error_message = "the named invoker and no other member"
  }
}

run "traces_and_metrics_go_to_google_where_that_is_asked_for" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    metrics = { export = "google" }
    traces  = { export = "google", sampler = "always_on" }
  }

  assert {
    condition     = length(google_project_iam_member.metrics) == 7 && google_cloudfunctions2_function.main["sweeper"].service_config[0].environment_variables["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"] == "https://telemetry.googleapis.com/v1/metrics"
    error_message = "each function may hand in metrics, and is told where"
  }

  assert {
    condition     = length(google_project_iam_member.traces) == 7 && google_cloudfunctions2_function.main["worker"].service_config[0].environment_variables["OTEL_TRACES_SAMPLER"] == "always_on"
    error_message = "each function may hand in spans, and is told which"
  }
  assert {
    condition     = contains(keys(google_project_service.main), "telemetry.googleapis.com")
    error_message = "the API that takes spans is turned on"
  }
}

run "functions_that_run_agents_know_what_models_cost" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    model_prices = {
      "gemini-3-pro-preview" = { input = 2, output = 12, cached_input = 0.2 }
      "openai.chat gpt-5"    = { input = 1.25, output = 10 }
    }
  }

  assert {
    condition = jsondecode(google_cloudfunctions2_function.main["worker"].service_config[0].environment_variables["HOLDFAST_MODEL_PRICES"]) == {
      "gemini-3-pro-preview" = { input = 2, output = 12, cachedInput = 0.2 }
      "openai.chat gpt-5"    = { input = 1.25, output = 10 }
    }
    error_message = "the worker reads the table as it was given"
  }
  assert {
    condition     = sort([for name, function in google_cloudfunctions2_function.main : name if contains(keys(function.service_config[0].environment_variables), "HOLDFAST_MODEL_PRICES")]) == tolist(["operator", "worker"])
    error_message = "the functions that run agents have the table, and no other"
  }
}

run "grpc_is_of_a_digest_and_of_one_connection" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    grpc = { image = "europe-west1-docker.pkg.dev/acme-agents/holdfast/grpc:latest", concurrency = 200 }
  }

  expect_failures = [var.grpc]
}

run "a_price_below_zero_is_refused" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    model_prices = { "gpt-5" = { input = -1, output = 10 } }
  }

  expect_failures = [var.model_prices]
}

run "models_of_vertex_ai_are_asked_by_who_runs_agents" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    vertex_ai = true
  }

  assert {
    condition     = sort(keys(google_project_iam_member.models)) == tolist(["operator", "worker"]) && google_project_iam_member.models["worker"].role == "roles/aiplatform.user"
    error_message = "the functions that run agents may ask models, and no other"
  }
  assert {
    condition     = contains(keys(google_project_service.main), "aiplatform.googleapis.com")
    error_message = "the API of the models is turned on"
  }
}

run "operators_are_let_in_by_name_and_never_the_whole_internet" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    access                = { ways = ["open"] }
    allow_unauthenticated = true
    operator              = { invokers = ["user:alice@example.com"] }
    operators             = { "alice@example.com" = { agents = ["*"], may = ["view", "decide"] } }
  }

  expect_failures = [check.callers_are_authenticated]

  assert {
    condition     = [for grant in google_cloud_run_service_iam_member.operator : "${grant.member} ${grant.service}"] == ["user:alice@example.com holdfast-operator"]
    error_message = "the named operator and no other member, also where the agents are public"
  }
  assert {
    condition = alltrue([
      for name, function in google_cloudfunctions2_function.main :
      lookup(function.service_config[0].environment_variables, "HOLDFAST_OPERATORS", "") == (
        contains(["worker", "coordinator", "operator"], name) ? jsonencode(var.operators) : ""
      )
    ])
    error_message = "who decides, resends and cancels is known where that is checked, and nowhere else"
  }
}

run "credentials_for_remote_agents_reach_who_calls_them" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    secrets = { partner-token = { read_by = ["worker"] } }
    remote_secrets = {
      partner-token = { secret = "holdfast-partner-token" }
      other-token   = { secret = "other-token", version = "3" }
    }
    remote_private = ["agents.internal", "10.1.2.3:8443"]
  }

  assert {
    condition = keys(google_secret_manager_secret_iam_member.remote) == [
      "holdfast-partner-token/coordinator", "holdfast-partner-token/operator",
      "other-token/coordinator", "other-token/operator", "other-token/worker",
    ]
    error_message = "each of the three may read each secret, by one grant"
  }
  assert {
    condition = alltrue([
      for name, function in google_cloudfunctions2_function.main :
      length(function.service_config[0].secret_volumes) == (contains(["worker", "coordinator", "operator"], name) ? 2 : 0)
    ])
    error_message = "who calls no remote agent gets no credentials"
  }
  assert {
    condition     = google_cloudfunctions2_function.main["coordinator"].service_config[0].environment_variables["HOLDFAST_REMOTE_PRIVATE"] == "10.1.2.3:8443,agents.internal"
    error_message = "hosts come as a list with commas"
  }
}

run "notices_are_known_where_they_are_looked_for_and_their_secrets_where_they_are_sent" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    notices = [
      { name = "oncall", form = "slack", events = ["approval", "failed"], secret = { secret = "slack-url", version = "2" }, digest = "15m" },
      { name = "board", events = ["failed"], url = "https://hooks.example.com/board" },
    ]
  }

  assert {
    condition = alltrue([
      for name, function in google_cloudfunctions2_function.main :
      contains(keys(function.service_config[0].environment_variables), "HOLDFAST_NOTICES") == contains(["push", "operator", "sweeper"], name)
    ])
    error_message = "the sweeper has them looked for, push sends them, the operator function shows them, and no other knows of them"
  }
  assert {
    condition = google_cloudfunctions2_function.main["push"].service_config[0].environment_variables["HOLDFAST_NOTICES"] == jsonencode([
      { name = "oncall", form = "slack", events = ["approval", "failed"], secret = "oncall", digest = "15m" },
      { name = "board", events = ["failed"], url = "https://hooks.example.com/board" },
    ])
    error_message = "as the code reads them, a secret by the name of its target"
  }
  assert {
    condition = alltrue([
      for name, function in google_cloudfunctions2_function.main :
      join(" ", [for volume in function.service_config[0].secret_volumes : "${volume.mount_path} ${volume.secret}"]) == (name == "push" ? "/etc/holdfast/notices/oncall slack-url" : "")
    ])
    error_message = "who sends no notices reads no secret of them"
  }
  assert {
    condition     = keys(google_secret_manager_secret_iam_member.notice) == ["slack-url"]
    error_message = "push alone has the right to it"
  }
  assert {
    condition     = google_cloudfunctions2_function.main["push"].service_config[0].environment_variables["HOLDFAST_CONSOLE_URL"] == local.urls["operator"]
    error_message = "links lead to the operator function unless another address is given"
  }
}

run "how_long_approvals_wait_is_looked_at_by_the_sweeper_where_an_alert_wants_it" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    alerts = { approval_age_hours = 4 }
  }

  assert {
    condition = alltrue([
      for name, function in google_cloudfunctions2_function.main :
      lookup(function.service_config[0].environment_variables, "HOLDFAST_APPROVAL_AGE", "0") == (name == "sweeper" ? "14400000" : "0")
    ])
    error_message = "in milliseconds, and no other function looks"
  }
  assert {
    condition = alltrue([
      for name in ["approval_waits", "decision_refused", "notices_parked", "result_not_kept"] : contains(keys(google_monitoring_alert_policy.log), name)
    ])
    error_message = "each has its alert"
  }
}

run "without_notices_and_alerts_nothing_is_looked_for" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    alerts = { approval_age_hours = 0 }
  }

  assert {
    condition = alltrue([
      for function in values(google_cloudfunctions2_function.main) :
      length(setintersection(keys(function.service_config[0].environment_variables), ["HOLDFAST_APPROVAL_AGE", "HOLDFAST_CONSOLE_URL", "HOLDFAST_NOTICES"])) == 0
    ])
    error_message = "no function is told to"
  }
}

run "cards_are_signed_where_that_is_asked_for_and_by_the_a2a_function_alone" {
  command = plan

  module {
    source = "./modules/holdfast"
  }

  variables {
    card_signing = { versions = [1, 2] }
  }

  assert {
    condition     = google_kms_crypto_key.card[0].purpose == "ASYMMETRIC_SIGN" && google_kms_crypto_key.card[0].version_template[0].algorithm == "EC_SIGN_P256_SHA256"
    error_message = "the key signs as the cards say: ES256"
  }
  assert {
    condition     = toset(keys(google_kms_crypto_key_iam_member.card)) == toset(["a2a", "push"]) && google_kms_crypto_key_iam_member.card["push"].role == "roles/cloudkms.signerVerifier"
    error_message = "the A2A function and push may sign with the key and read its public half, and no more"
  }
  assert {
    condition     = length(google_kms_crypto_key.card) == 1 && length(google_kms_crypto_key.main) == 1
    error_message = "it is a key of its own"
  }
}

run "the_a2a_function_is_told_its_memory" {
  command = plan

  module {
    source = "./modules/holdfast"
  }

  variables {
    a2a = { memory = "512Mi" }
  }

  assert {
    condition     = google_cloudfunctions2_function.main["a2a"].service_config[0].environment_variables["HOLDFAST_MEMORY"] == "536870912"
    error_message = "what a2a.memory gives, in bytes"
  }
}

run "cards_are_signed_by_a_given_key" {
  command = plan

  module {
    source = "./modules/holdfast"
  }

  variables {
    card_signing = { key = "projects/acme-keys/locations/global/keyRings/acme/cryptoKeys/cards", versions = [3, 4] }
    kms          = { key = "projects/acme-keys/locations/europe-west1/keyRings/acme/cryptoKeys/data" }
  }

  assert {
    condition     = length(google_kms_crypto_key.card) == 0 && length(google_kms_key_ring.main) == 0
    error_message = "a given key needs none of ours, nor a ring"
  }
  assert {
    condition = [
      for name, function in google_cloudfunctions2_function.main : name
      if contains(keys(function.service_config[0].environment_variables), "HOLDFAST_CARD_SIGNERS")
    ] == ["a2a", "push"]
    error_message = "the A2A function and push alone are told of it"
  }
  assert {
    condition     = google_cloudfunctions2_function.main["a2a"].service_config[0].environment_variables["HOLDFAST_CARD_SIGNERS"] == "projects/acme-keys/locations/global/keyRings/acme/cryptoKeys/cards/cryptoKeyVersions/3,projects/acme-keys/locations/global/keyRings/acme/cryptoKeys/cards/cryptoKeyVersions/4"
    error_message = "the versions are named in full, in their order"
  }
}

run "the_whole_internet_only_with_a_warning" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    access                = { ways = ["keys", "open"] }
    allow_unauthenticated = true
  }

  expect_failures = [check.callers_are_authenticated]
}

run "agents_that_spend_or_decide_are_not_open_to_anyone" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    access                = { ways = ["open"] }
    allow_unauthenticated = true
    packages = {
      a2a         = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac", costly_agents = ["payer"] }
      coordinator = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      operator    = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      projector   = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      push        = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      sweeper     = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      worker      = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    }
  }

  expect_failures = [check.callers_are_authenticated, google_cloudfunctions2_function.main]
}

run "unless_that_is_said_twice" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    access                = { open_anyway = true, ways = ["open"] }
    allow_unauthenticated = true
    packages = {
      a2a         = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac", costly_agents = ["payer"] }
      coordinator = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      operator    = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      projector   = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      push        = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      sweeper     = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      worker      = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    }
  }

  expect_failures = [check.callers_are_authenticated]

  assert {
    condition     = google_cloudfunctions2_function.main["a2a"].service_config[0].environment_variables["HOLDFAST_OPEN_ANYWAY"] == "true"
    error_message = "the function is told, too"
  }
}

run "callers_are_asked_who_they_are_by_the_a2a_function_alone" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    access = {
      issuers = [{ issuer = "https://login.example.com", audience = ["agents"], owner = "email" }]
      ways    = ["keys", "oidc"]
    }
    allow_unauthenticated = true
    packages = {
      a2a         = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac", costly_agents = ["payer"] }
      coordinator = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      operator    = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      projector   = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      push        = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      sweeper     = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      worker      = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    }
  }

  assert {
    condition     = google_cloudfunctions2_function.main["a2a"].service_config[0].environment_variables["HOLDFAST_ACCESS"] == "keys,oidc"
    error_message = "the ways come as a list with commas"
  }
  assert {
    condition     = google_cloudfunctions2_function.main["a2a"].service_config[0].environment_variables["HOLDFAST_ISSUERS"] == jsonencode([{ audience = ["agents"], issuer = "https://login.example.com", owner = "email" }])
    error_message = "an issuer is told as it is given, and nothing that is not"
  }
  assert {
    condition     = google_cloudfunctions2_function.main["a2a"].service_config[0].environment_variables["HOLDFAST_CALLERS"] == "signature"
    error_message = "nothing stands before it, so it checks signatures itself"
  }
  assert {
    condition     = [for name, function in google_cloudfunctions2_function.main : name if contains(keys(function.service_config[0].environment_variables), "HOLDFAST_ACCESS")] == ["a2a"]
    error_message = "no other function lets callers in"
  }
}

run "without_a_word_callers_show_a_token_of_google" {
  command = plan

  module {
    source = "./modules/holdfast"
  }

  assert {
    condition = [
      for name in ["HOLDFAST_ACCESS", "HOLDFAST_CALLERS"] : google_cloudfunctions2_function.main["a2a"].service_config[0].environment_variables[name]
    ] == ["google", "iam"]
    error_message = "Cloud Run has checked it, and the code reads who it is"
  }
}

run "a_way_to_prove_who_one_is_comes_with_what_it_needs" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    access = { ways = ["oidc"] }
  }

  expect_failures = [var.access]
}

run "own_keys_are_used_for_all_that_is_stored" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    cmek = { key = "projects/keys/locations/europe-west1/keyRings/ours/cryptoKeys/storage" }
  }

  assert {
    condition     = length(google_kms_crypto_key_iam_member.agent) == 7 && google_firestore_database.main.cmek_config[0].kms_key_name == var.cmek.key
    error_message = "Google's agents need the key, and the database is encrypted with it"
  }
}

run "a_stale_list_of_packages_is_refused" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    packages = {
      a2a         = { path = "tests/fixture/stand-in.txt", sha256 = "0000000000000000000000000000000000000000000000000000000000000000" }
      coordinator = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      operator    = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      projector   = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      push        = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      sweeper     = { path = "tests/fixture/stand-in.txt", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
      worker      = { path = "tests/fixture/missing.zip", sha256 = "6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac" }
    }
  }

  expect_failures = [google_storage_bucket_object.package]
}

run "bad_values_are_refused" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    a2a              = { timeout_seconds = 7200 }
    bucket           = { soft_delete_days = 3 }
    coordinator      = { timeout_seconds = 30 }
    budget           = { billing_account = "mine", currency = "EUR", amount = 1 }
    database         = { name = "(default)" }
    invokers         = ["allUsers"]
    kms              = { key = "storage" }
    labels           = { Team = "Agents" }
    log_level        = "verbose"
    metrics          = { export = "prometheus" }
    notices          = [{ name = "oncall", events = ["aproval"] }]
    operator         = { invokers = ["allUsers"] }
    operators        = { "alice@example.com" = { agents = ["*"], may = ["everything"] } }
    prefix           = "Holdfast"
    project_number   = "acme-agents"
    queue_generation = 0
    queues           = { max_dispatches_per_second = 1000 }
    region           = "europe"
    remote_private   = ["https://agents.internal"]
    remote_secrets   = { "../bucket" = { secret = "name" } }
    runtime          = "nodejs20"
    scheduler        = { schedule = "every minute" }
    secrets          = { model-key = { read_by = ["everybody"] } }
    settings         = { leese = 1 }
    sweeper          = { timeout_seconds = 5 }
    traces           = { export = "jaeger", ratio = 2 }
    worker           = { timeout_seconds = 60 }
  }

  expect_failures = [
    var.a2a, var.bucket, var.budget, var.coordinator, var.database, var.invokers, var.kms, var.labels, var.log_level,
    var.metrics, var.notices, var.operator, var.operators, var.prefix, var.project_number, var.queue_generation, var.queues, var.region,
    var.remote_private, var.remote_secrets, var.runtime, var.scheduler, var.secrets, var.settings, var.sweeper, var.traces,
    var.worker,
  ]
}

run "sizes_that_do_not_fit_each_other_are_refused" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    a2a         = { memory = "512Mi" }
    coordinator = { timeout_seconds = 60 }
    settings    = { requestBodies = 134217728, segment = 560000 }
  }

  expect_failures = [google_cloudfunctions2_function.main]
}

run "folders_of_files_that_do_not_fit_in_the_memory_are_refused" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    operator = { memory = "4Gi" }
    settings = { filesBytes = 268435456 }
    worker   = { memory = "2Gi" }
  }

  expect_failures = [google_cloudfunctions2_function.main["worker"]]
}

run "larger_folders_fit_in_more_memory_or_fewer_runs" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    operator = { concurrency = 2 }
    settings = { filesBytes = 268435456 }
    worker   = { memory = "2304Mi" }
  }
}

run "a_segment_may_be_as_long_as_its_delivery_allows" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    settings = { segment = 540000 }
  }
}

run "a_key_from_another_region_is_refused" {
  command = plan

  module {
    source = "./modules/holdfast"
  }
  variables {
    cmek = { key = "projects/keys/locations/us-central1/keyRings/ours/cryptoKeys/storage" }
  }

  expect_failures = [var.cmek]
}

run "it_can_be_applied" {
  command = apply

  module {
    source = "./modules/holdfast"
  }
  variables {
    # Or what this run made could not be taken down behind it.
    deletion_protection = false
  }

  assert {
    condition     = output.database == "holdfast-state" && length(output.queues) == 8
    error_message = "a database and two queues of each class"
  }
}
