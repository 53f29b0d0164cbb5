variable "a2a" {
  description = "The function that speaks A2A. `base_url` is the public address on the agent card, by default that of the function itself; `idempotency` says whose retried messages are answered by the same task; `v03` also serves clients of A2A v0.3; `draft` also speaks what is drafted for A2A 1.1 to those that ask for it (docs/draft.md); `traceability` tells callers that ask what was done for their tasks (docs/extensions.md); `allow_origins` names the origins whose web pages may call, `allow_hosts` the host names that lead to it (any without it); `check_input_modes` refuses parts of a media type that the agent's card does not name. A stream lasts at most `timeout_seconds`."
  type = object({
    allow_hosts       = optional(list(string), [])
    allow_origins     = optional(list(string), [])
    base_url          = optional(string)
    check_input_modes = optional(bool, false)
    concurrency       = optional(number, 80)
    cpu               = optional(string, "1")
    draft             = optional(bool, false)
    traceability      = optional(bool, false)
    idempotency       = optional(string, "authenticated")
    ingress           = optional(string, "ALLOW_ALL")
    max_instances     = optional(number, 20)
    memory            = optional(string, "1Gi")
    min_instances     = optional(number, 0)
    timeout_seconds   = optional(number, 3600)
    v03               = optional(bool, false)
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["ALLOW_ALL", "ALLOW_INTERNAL_AND_GCLB", "ALLOW_INTERNAL_ONLY"], var.a2a.ingress)
    error_message = "a2a.ingress must be ALLOW_ALL, ALLOW_INTERNAL_AND_GCLB (behind a load balancer) or ALLOW_INTERNAL_ONLY."
  }
  validation {
    condition     = contains(["authenticated", "always", "off"], var.a2a.idempotency)
    error_message = "a2a.idempotency must be authenticated, always or off."
  }
  validation {
    condition     = var.a2a.base_url == null || can(regex("^https://[^/]+(/.*[^/])?$", var.a2a.base_url))
    error_message = "a2a.base_url must be an https URL without a slash at its end, such as https://agents.example.com."
  }
  validation {
    condition     = var.a2a.timeout_seconds >= 60 && var.a2a.timeout_seconds <= 3600
    error_message = "a2a.timeout_seconds must be from 60 to 3600: Cloud Run ends a request after 60 minutes at most."
  }
  validation {
    condition     = var.a2a.concurrency >= 1 && var.a2a.concurrency <= 1000 && var.a2a.min_instances <= var.a2a.max_instances
    error_message = "a2a.concurrency must be from 1 to 1000, and min_instances at most max_instances."
  }
}

variable "access" {
  description = "How callers of the agents prove who they are (docs/security.md). `ways`: one or several of `google` (identity tokens that Google signed), `keys` (API keys of the installation), `oidc` (tokens of `issuers`), `iap` (Identity-Aware Proxy, whose audience is `iap_audience`) and `open` (who shows nothing is let in, as one anonymous caller). `gcloud_users` also takes the tokens that gcloud prints for a person, which other services can have seen. `open_anyway` says that agents which spend money, or whose owners decide, are meant to be open to anyone."
  type = object({
    gcloud_users = optional(bool, false)
    iap_audience = optional(string)
    issuers = optional(list(object({
      algorithms = optional(list(string))
      audience   = list(string)
      issuer     = string
      keys       = optional(string)
      owner      = optional(string)
      scope      = optional(string)
      tenant     = optional(string)
    })), [])
    open_anyway = optional(bool, false)
    ways        = optional(set(string), ["google"])
  })
  default  = {}
  nullable = false

  validation {
    condition     = length(var.access.ways) > 0 && length(setsubtract(var.access.ways, ["google", "iap", "keys", "oidc", "open"])) == 0
    error_message = "access.ways: one or several of google, iap, keys, oidc and open."
  }
  validation {
    condition     = contains(var.access.ways, "oidc") == (length(var.access.issuers) > 0)
    error_message = "access.ways with oidc and access.issuers need each other."
  }
  validation {
    condition     = contains(var.access.ways, "iap") == (var.access.iap_audience != null) && !(contains(var.access.ways, "iap") && contains(var.access.ways, "google"))
    error_message = "access.ways with iap and access.iap_audience need each other; behind the proxy, google is iap."
  }
  validation {
    condition     = alltrue([for each in var.access.issuers : startswith(each.issuer, "https://") && length(each.audience) > 0])
    error_message = "access.issuers: issuer must be an https URL, and audience names at least one."
  }
}

variable "alerts" {
  description = "Alert policies and their thresholds. With `approval_age_hours` of 0 it is not looked how long approvals wait. Channels are full names of notification channels. Ratios are from 0 to 1."
  type = object({
    a2a_latency_seconds                 = optional(number, 120)
    approval_age_hours                  = optional(number, 24)
    delivery_delay_seconds              = optional(number, 300)
    enabled                             = optional(bool, true)
    instances_ratio                     = optional(number, 0.9)
    log_notification_rate_limit_seconds = optional(number, 3600)
    memory_ratio                        = optional(number, 0.85)
    notification_channels               = optional(list(string), [])
    polls_depth                         = optional(number, 20000)
    queue_depth                         = optional(number, 1000)
    server_error_ratio                  = optional(number, 0.05)
    sweeper_silent_minutes              = optional(number, 10)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.alerts.server_error_ratio > 0 && var.alerts.server_error_ratio <= 1 && alltrue([for ratio in [var.alerts.instances_ratio, var.alerts.memory_ratio] : ratio > 0 && ratio <= 1])
    error_message = "alerts.server_error_ratio, alerts.instances_ratio and alerts.memory_ratio must be above 0 and at most 1."
  }
  validation {
    condition     = var.alerts.approval_age_hours >= 0
    error_message = "alerts.approval_age_hours must be a number of hours, or 0."
  }
  validation {
    condition     = alltrue([for channel in var.alerts.notification_channels : can(regex("^projects/[^/]+/notificationChannels/[^/]+$", channel))])
    error_message = "alerts.notification_channels: each must be a full name, projects/PROJECT/notificationChannels/ID."
  }
}

variable "allow_unauthenticated" {
  description = "Lets requests of anyone on the internet through to the A2A function, which then asks each caller who it is, as `access` says. Without it, Cloud Run lets through `invokers` alone."
  type        = bool
  default     = false
  nullable    = false
}

variable "binary_authorization" {
  description = "Policy of Binary Authorization for the functions' containers: `default` for the project's, or the full name of a platform policy. Cloud Functions builds the containers, so the policy must exempt the module's repository: `REGION-docker.pkg.dev/PROJECT/PREFIX/**`."
  type        = string
  default     = null

  validation {
    condition     = var.binary_authorization == null || can(regex("^(default|projects/[^/]+/platforms/cloudRun/policies/[^/]+)$", var.binary_authorization))
    error_message = "binary_authorization must be default or projects/PROJECT/platforms/cloudRun/policies/POLICY."
  }
}

variable "bucket" {
  description = "The bucket for large content and the archive. What is purged stays recoverable for `soft_delete_days` (0, or 7 to 90); with `versioning`, what is overwritten or deleted also stays for `noncurrent_days`. `location` defaults to the region."
  type = object({
    location         = optional(string)
    noncurrent_days  = optional(number, 7)
    soft_delete_days = optional(number, 7)
    versioning       = optional(bool, false)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.bucket.soft_delete_days == 0 || (var.bucket.soft_delete_days >= 7 && var.bucket.soft_delete_days <= 90)
    error_message = "bucket.soft_delete_days must be 0 (off) or from 7 to 90."
  }
  validation {
    condition     = var.bucket.noncurrent_days >= 1
    error_message = "bucket.noncurrent_days must be at least 1."
  }
}

variable "budget" {
  description = "A budget for the project's cost in a month, with mails at 50, 90 and 100 percent. It informs and stops nothing. Needs the right to make budgets on the billing account."
  type = object({
    amount          = number
    billing_account = string
    currency        = string
  })
  default = null

  validation {
    condition     = var.budget == null || can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.budget.billing_account))
    error_message = "budget.billing_account must look like 012345-6789AB-CDEF01."
  }
  validation {
    condition     = var.budget == null || try(var.budget.amount == floor(var.budget.amount) && var.budget.amount > 0, false)
    error_message = "budget.amount must be a whole number above 0."
  }
}

variable "build_worker_pool" {
  description = "Full name of the Cloud Build worker pool that builds the containers; Google's default pool if null."
  type        = string
  default     = null
}

variable "card_signing" {
  description = "Signs the agent cards, for clients that pin its public key (docs/signed-cards.md): with `versions` of a given key (`key`, a full name; EC_SIGN_P256_SHA256) or of one that the module makes. To change the key, make a version, list it beside the old one until clients have pinned it, and then alone. The first version also signs what webhooks are told (docs/push.md)."
  type = object({
    key              = optional(string)
    protection_level = optional(string, "SOFTWARE")
    versions         = optional(list(number), [1])
  })
  default = null

  validation {
    condition     = try(var.card_signing.key, null) == null || can(regex("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$", var.card_signing.key))
    error_message = "card_signing.key must be a full name, projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY."
  }
  validation {
    condition     = var.card_signing == null || try(length(var.card_signing.versions) > 0 && alltrue([for version in var.card_signing.versions : version >= 1 && version == floor(version)]), false)
    error_message = "card_signing.versions must be whole numbers from 1, and at least one."
  }
  validation {
    condition     = var.card_signing == null || contains(["SOFTWARE", "HSM"], try(var.card_signing.protection_level, ""))
    error_message = "card_signing.protection_level must be SOFTWARE or HSM."
  }
}

variable "cmek" {
  description = "Encrypts stored data with this key: `key` for everything that lies in the region, `database_key` for a database in another location. Google's service agents must exist before (README, Customer-managed keys). Can't be changed for an existing database."
  type = object({
    database_key = optional(string)
    key          = string
  })
  default = null

  validation {
    condition = var.cmek == null || alltrue([
      for key in [try(var.cmek.key, null), try(coalesce(var.cmek.database_key, var.cmek.key), null)] :
      can(regex("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$", key))
    ])
    error_message = "cmek.key and cmek.database_key must be full names, projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY."
  }
  validation {
    condition     = var.cmek == null || try(split("/", var.cmek.key)[3] == var.region, false)
    error_message = "cmek.key must lie in the region of the functions: Cloud Functions, Artifact Registry and Cloud Storage take no key from elsewhere."
  }
}

variable "coordinator" {
  description = "The function that looks at the tasks of remote agents for the runs that wait for them."
  type = object({
    concurrency     = optional(number, 40)
    cpu             = optional(string, "1")
    max_instances   = optional(number, 40)
    memory          = optional(string, "512Mi")
    min_instances   = optional(number, 0)
    timeout_seconds = optional(number, 120)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.coordinator.timeout_seconds >= 60 && var.coordinator.timeout_seconds <= 1800
    error_message = "coordinator.timeout_seconds must be from 60 to 1800: it has to outlast the calls to a remote agent (remoteCall in settings)."
  }
  validation {
    condition     = var.coordinator.concurrency >= 1 && var.coordinator.concurrency <= 1000 && var.coordinator.min_instances <= var.coordinator.max_instances
    error_message = "coordinator.concurrency must be from 1 to 1000, and min_instances at most max_instances."
  }
}

variable "database" {
  description = "The Firestore database. `location` is a region or a multi-region (nam5, eur3), by default the region, and can never be changed. Backups are kept for at most 98 days (14 weeks)."
  type = object({
    daily_backup_days      = optional(number, 7)
    location               = optional(string)
    name                   = optional(string)
    point_in_time_recovery = optional(bool, true)
    weekly_backup_days     = optional(number, 98)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.database.name == null || can(regex("^[a-z][a-z0-9-]{2,61}[a-z0-9]$", var.database.name))
    error_message = "database.name must be 4 to 63 lower-case letters, digits and dashes. The database (default) can't be used: others in the project may share it."
  }
  validation {
    condition = alltrue([
      for days in [var.database.daily_backup_days, var.database.weekly_backup_days] : days >= 1 && days <= 98
    ])
    error_message = "database.daily_backup_days and database.weekly_backup_days must be from 1 to 98."
  }
}

variable "deletion_protection" {
  description = "Keeps database, buckets, keys, queues and secrets from being deleted, also by `terraform destroy`."
  type        = bool
  default     = true
  nullable    = false
}

variable "enable_services" {
  description = "Turns on the APIs that the module needs. False where the project's factory does that."
  type        = bool
  default     = true
  nullable    = false
}

variable "grant_delay_seconds" {
  description = "How long a first apply waits for its grants to hold before it builds containers and encrypts with your key. Google says typically 2 minutes, potentially 7 or longer."
  type        = number
  default     = 120
  nullable    = false

  validation {
    condition     = var.grant_delay_seconds >= 0 && var.grant_delay_seconds <= 3600
    error_message = "grant_delay_seconds must be from 0 to 3600."
  }
}

variable "grpc" {
  description = "Serves the agents over gRPC, too, as a Cloud Run service beside the functions (docs/grpc.md); none if null. `image` is the container of the package `grpc`, by its digest; `address` is where clients reach it, host and port, by default that of the service itself. It has the identity, the invokers, the ingress and the `access` of the A2A function, but no Identity-Aware Proxy."
  type = object({
    address         = optional(string)
    concurrency     = optional(number, 80)
    cpu             = optional(string, "1")
    image           = string
    max_instances   = optional(number, 20)
    memory          = optional(string, "1Gi")
    min_instances   = optional(number, 0)
    timeout_seconds = optional(number, 3600)
  })
  default = null

  validation {
    condition     = var.grpc == null || can(regex("^[a-z0-9.-]+/.+@sha256:[0-9a-f]{64}$", var.grpc.image))
    error_message = "grpc.image must name its digest, such as europe-west1-docker.pkg.dev/PROJECT/holdfast/grpc@sha256:...: what a tag names changes without a plan."
  }
  validation {
    condition     = try(var.grpc.address, null) == null || can(regex("^[A-Za-z0-9.-]+:[0-9]{1,5}$", var.grpc.address))
    error_message = "grpc.address must be a host and a port, such as agents.example.com:443."
  }
  validation {
    condition     = var.grpc == null || try(var.grpc.timeout_seconds >= 60 && var.grpc.timeout_seconds <= 3600, false)
    error_message = "grpc.timeout_seconds must be from 60 to 3600: Cloud Run ends a request after 60 minutes at most."
  }
  validation {
    # As many streams as shared/grpc/grpc-server.ts allows on one connection.
    condition     = var.grpc == null || try(var.grpc.concurrency >= 1 && var.grpc.concurrency <= 100 && var.grpc.min_instances <= var.grpc.max_instances, false)
    error_message = "grpc.concurrency must be from 1 to 100, and min_instances at most max_instances."
  }
}

variable "invokers" {
  description = "IAM members that may call the A2A function, such as `group:agents@example.com`. No other member can."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for member in var.invokers : can(regex("^(user|group|serviceAccount|domain|principal|principalSet):.+$", member))])
    error_message = "invokers: each must be an IAM member, such as user:ada@example.com or serviceAccount:NAME@PROJECT.iam.gserviceaccount.com. For the whole internet there is allow_unauthenticated."
  }
}

variable "kms" {
  description = "The key that wraps the data keys of the runs: a given one (`key`, a full name), or one that the module makes and rotates. HSM and EXTERNAL cost more and are slower. `generation` is in the name of the module's key ring, which can never be deleted: after a `destroy`, go on with the next number, and never change it otherwise, for that destroys the key."
  type = object({
    generation       = optional(number, 1)
    key              = optional(string)
    protection_level = optional(string, "SOFTWARE")
    rotation_days    = optional(number, 90)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.kms.key == null || can(regex("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$", var.kms.key))
    error_message = "kms.key must be a full name, projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY."
  }
  validation {
    condition     = var.kms.rotation_days >= 1 && var.kms.rotation_days == floor(var.kms.rotation_days)
    error_message = "kms.rotation_days must be a whole number from 1: Cloud KMS rotates once a day at most."
  }
  validation {
    condition     = var.kms.generation >= 1 && var.kms.generation == floor(var.kms.generation)
    error_message = "kms.generation must be a whole number from 1."
  }
  validation {
    condition     = contains(["SOFTWARE", "HSM", "HSM_SINGLE_TENANT", "EXTERNAL", "EXTERNAL_VPC"], var.kms.protection_level)
    error_message = "kms.protection_level must be SOFTWARE, HSM, HSM_SINGLE_TENANT, EXTERNAL or EXTERNAL_VPC."
  }
}

variable "labels" {
  description = "Labels on everything that takes labels."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition = alltrue([
      for key, value in var.labels : can(regex("^[a-z][a-z0-9_-]{0,62}$", key)) && can(regex("^[a-z0-9_-]{0,63}$", value))
    ])
    error_message = "labels: keys and values may have at most 63 lower-case letters, digits, dashes and underscores, and keys begin with a letter."
  }
}

variable "log_level" {
  description = "Least severe log line that the functions write. The dashboard and the metrics need info."
  type        = string
  default     = "info"
  nullable    = false

  validation {
    condition     = contains(["debug", "info", "warning", "error"], var.log_level)
    error_message = "log_level must be debug, info, warning or error."
  }
}

variable "metrics" {
  description = "Where the functions send metrics: `export` is `off`, `google` (Cloud Monitoring) or `otlp`, a collector at the base URL `endpoint`; docs/tracing.md lists them. The sweeper then counts what waits, each minute."
  type = object({
    endpoint = optional(string)
    export   = optional(string, "off")
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["off", "google", "otlp"], var.metrics.export) && (var.metrics.export != "otlp" || can(regex("^https?://", var.metrics.endpoint)))
    error_message = "metrics.export must be off, google or otlp, and otlp needs the http or https URL of a collector as endpoint."
  }
}

variable "model_prices" {
  description = "What models cost, in a currency per million tokens, for the limit `cost` of agents: `{ \"gemini-3-pro-preview\" = { input = 2, output = 12, cached_input = 0.2 } }`. A name is that of the model, with its provider before it or without. `prices` of a model in its agent go before it."
  type = map(object({
    input        = number
    output       = number
    cached_input = optional(number)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for prices in values(var.model_prices) : alltrue([for price in [prices.input, prices.output, coalesce(prices.cached_input, 0)] : price >= 0 && price <= 1000000])])
    error_message = "model_prices: each price must be a number from 0 to 1000000."
  }
}

variable "network" {
  description = "Sends the functions' outgoing traffic through a VPC (Direct VPC egress). The subnetwork needs four addresses for each instance that the functions may have together (142 by default, 162 with gRPC: a /22). With VPC_EGRESS_ALL_TRAFFIC it needs Private Google Access, and Cloud NAT for whatever else the agents call, remote agents included."
  type = object({
    egress     = optional(string, "VPC_EGRESS_ALL_TRAFFIC")
    network    = string
    subnetwork = string
    tags       = optional(list(string), [])
  })
  default = null

  validation {
    condition     = var.network == null || try(contains(["VPC_EGRESS_ALL_TRAFFIC", "VPC_EGRESS_PRIVATE_RANGES_ONLY"], var.network.egress), false)
    error_message = "network.egress must be VPC_EGRESS_ALL_TRAFFIC or VPC_EGRESS_PRIVATE_RANGES_ONLY."
  }
}

variable "notices" {
  description = "Whom operators want told of what waits, fails or ends (docs/notices.md). `form` is json, slack or google-chat; `events` are one or several of approval, input, unknown-send, blocked, failed, deadline and purge; where it is sent to is `url`, or a version of a secret that is that URL (the id of one of the project), which the push function alone may read. Times are `90s`, `15m`, `2h` or `1d`."
  type = list(object({
    after   = optional(string)
    agents  = optional(list(string))
    content = optional(bool)
    digest  = optional(string)
    events  = list(string)
    form    = optional(string)
    lead    = optional(string)
    name    = string
    quiet = optional(object({
      from     = string
      timezone = string
      to       = string
    }))
    secret = optional(object({
      secret  = string
      version = optional(string, "latest")
    }))
    url = optional(string)
  }))
  default  = []
  nullable = false

  validation {
    condition     = alltrue([for target in var.notices : can(regex("^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$", target.name))]) && length(distinct([for target in var.notices : target.name])) == length(var.notices)
    error_message = "notices: each name is 1 to 40 lower-case letters, digits and inner dashes, and no two are the same."
  }
  validation {
    condition     = alltrue([for target in var.notices : (target.url == null) != (target.secret == null)])
    error_message = "notices: each target has either url or secret."
  }
  validation {
    condition     = alltrue([for target in var.notices : target.secret == null || (can(regex("^[A-Za-z0-9_-]{1,255}$", try(target.secret.secret, ""))) && can(regex("^(latest|[0-9]+)$", try(target.secret.version, ""))))])
    error_message = "notices: secret is the id of a secret, without projects/ before it, and its version latest or a number."
  }
  validation {
    condition     = alltrue([for target in var.notices : contains(["json", "slack", "google-chat"], coalesce(target.form, "json"))])
    error_message = "notices: form must be json, slack or google-chat."
  }
  validation {
    condition     = alltrue([for target in var.notices : length(target.events) > 0 && length(setsubtract(target.events, ["approval", "blocked", "deadline", "failed", "input", "purge", "unknown-send"])) == 0])
    error_message = "notices: events are one or several of approval, input, unknown-send, blocked, failed, deadline and purge."
  }
  validation {
    condition     = alltrue([for target in var.notices : alltrue([for span in [target.after, target.digest, target.lead] : span == null || can(regex("^[0-9]{1,6}[smhd]$", span))])])
    error_message = "notices: after, digest and lead are times such as 90s, 15m, 2h or 1d."
  }
}

variable "operator" {
  description = "The function that operators and their command line call: the inbox, runs, decisions. `invokers` are the IAM members that get through to it, such as `group:operators@example.com`; what each of them may do is in `operators`. Behind Identity-Aware Proxy, `iap_audience` is the audience of its header, and its service agent the one invoker. `console_url` is where people reach the console, for the links in `notices`: by default the function itself. `gcloud_users` also takes the tokens that `gcloud auth print-identity-token` prints for a person: they are made out for no service, so any other service that a person has called with one can use it here for an hour. A decision that is carried out at once runs its agent in the request."
  type = object({
    concurrency     = optional(number, 8)
    console_url     = optional(string)
    cpu             = optional(string, "1")
    gcloud_users    = optional(bool, false)
    iap_audience    = optional(string)
    ingress         = optional(string, "ALLOW_ALL")
    invokers        = optional(set(string), [])
    max_instances   = optional(number, 10)
    memory          = optional(string, "1Gi")
    min_instances   = optional(number, 0)
    timeout_seconds = optional(number, 3600)
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["ALLOW_ALL", "ALLOW_INTERNAL_AND_GCLB", "ALLOW_INTERNAL_ONLY"], var.operator.ingress)
    error_message = "operator.ingress must be ALLOW_ALL (IAM guards it), ALLOW_INTERNAL_AND_GCLB (behind a load balancer) or ALLOW_INTERNAL_ONLY."
  }
  validation {
    condition     = alltrue([for member in var.operator.invokers : can(regex("^(user|group|serviceAccount|domain|principal|principalSet):", member))])
    error_message = "operator.invokers must be users, groups, service accounts, domains or principals: an operator is never anonymous."
  }
  validation {
    condition     = var.operator.iap_audience == null || can(regex("^/projects/[0-9]+/", var.operator.iap_audience))
    error_message = "operator.iap_audience must be an audience of Identity-Aware Proxy, such as /projects/123456789012/global/backendServices/ID or /projects/123456789012/locations/REGION/services/NAME."
  }
  validation {
    condition     = var.operator.timeout_seconds >= 600 && var.operator.timeout_seconds <= 3600
    error_message = "operator.timeout_seconds must be from 600, so that a segment fits in, to 3600."
  }
  validation {
    condition     = var.operator.concurrency >= 1 && var.operator.concurrency <= 1000 && var.operator.min_instances <= var.operator.max_instances
    error_message = "operator.concurrency must be from 1 to 1000, and min_instances at most max_instances."
  }
}

variable "operators" {
  description = "What each operator may do, by the address in its token: `{ \"alice@example.com\" = { agents = [\"*\"], may = [\"view\", \"decide\"] } }`. `agents` are names or `*`; `may` is of `view` (content, too), `decide`, `send` (what became of a message to a remote agent), `cancel`, `pause` (an agent), `retry` (ended runs) and `keys` (of callers)."
  type = map(object({
    agents = optional(set(string), ["*"])
    may    = set(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for address in keys(var.operators) : can(regex("^[^@:\\s]+@[^@:\\s]+$", address))])
    error_message = "operators: each is an address such as alice@example.com, without user: before it."
  }
  validation {
    condition = alltrue([
      for grant in values(var.operators) : length(setsubtract(grant.may, ["view", "decide", "send", "cancel", "pause", "retry", "try", "keys", "audit"])) == 0
    ])
    error_message = "operators: may is of view, decide, send, cancel, pause, retry, try, keys and audit."
  }
}

variable "packages" {
  description = "The zip of each function and its SHA-256 in hex, as the build command writes them into dist/packages.json. The hash is the object's name, so a new zip is a new object and the function is updated in place. `costly_agents` names the agents that spend money, or whose owners decide."
  type = object({
    a2a         = object({ path = string, sha256 = string, costly_agents = optional(list(string), []) })
    coordinator = object({ path = string, sha256 = string })
    operator    = object({ path = string, sha256 = string })
    projector   = object({ path = string, sha256 = string })
    push        = object({ path = string, sha256 = string })
    sweeper     = object({ path = string, sha256 = string })
    worker      = object({ path = string, sha256 = string })
  })
  nullable = false

  validation {
    condition     = alltrue([for package in values(var.packages) : can(regex("^[0-9a-f]{64}$", package.sha256))])
    error_message = "packages: sha256 must be 64 hexadecimal digits."
  }
}

variable "prefix" {
  description = "Prefix of every name; no two deployments of a project may share one."
  type        = string
  default     = "holdfast"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,11}[a-z0-9]$", var.prefix))
    error_message = "prefix must be 3 to 13 lower-case letters, digits and dashes, beginning with a letter: the names of the service accounts have room for no more."
  }
}

variable "privacy" {
  description = "What may be kept: `answer_ceiling` and `audit_ceiling` are `none`, `metadata`, `redacted` or `full` (an answer ceiling of `metadata`, the default, keeps full answers; a publication or provider can be stricter), the audit ceiling of the steps of runs that have ended and of errors; `redactor` is `patterns`, or `dlp` for Sensitive Data Protection."
  type = object({
    answer_ceiling = optional(string, "metadata")
    audit_ceiling  = optional(string, "metadata")
    redactor       = optional(string, "patterns")
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["none", "metadata", "redacted", "full"], var.privacy.answer_ceiling) && contains(["none", "metadata", "redacted", "full"], var.privacy.audit_ceiling)
    error_message = "privacy.answer_ceiling and privacy.audit_ceiling must be none, metadata, redacted or full."
  }
  validation {
    condition     = contains(["patterns", "dlp"], var.privacy.redactor)
    error_message = "privacy.redactor must be patterns or dlp."
  }
}

variable "private_ingress" {
  description = "Where calls to worker, projector, coordinator, push and sweeper may come from. Cloud Tasks and Cloud Scheduler of the same project count as internal."
  type        = string
  default     = "ALLOW_INTERNAL_ONLY"
  nullable    = false

  validation {
    condition     = contains(["ALLOW_ALL", "ALLOW_INTERNAL_AND_GCLB", "ALLOW_INTERNAL_ONLY"], var.private_ingress)
    error_message = "private_ingress must be ALLOW_INTERNAL_ONLY, ALLOW_INTERNAL_AND_GCLB (where a policy allows nothing else) or ALLOW_ALL. IAM guards the functions in each case."
  }
}

variable "project_id" {
  description = "Project of all resources."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "project_id must be a project's id (6 to 30 lower-case letters, digits and dashes), not its name or number."
  }
}

variable "project_number" {
  description = "Number of the project; looked up if null, which needs resourcemanager.projects.get."
  type        = string
  default     = null

  validation {
    condition     = var.project_number == null || can(regex("^[0-9]+$", var.project_number))
    error_message = "project_number must be digits."
  }
}

variable "projector" {
  description = "The function that brings views, journals and archives up to date where a worker could not."
  type = object({
    concurrency     = optional(number, 16)
    cpu             = optional(string, "1")
    max_instances   = optional(number, 20)
    memory          = optional(string, "512Mi")
    min_instances   = optional(number, 0)
    timeout_seconds = optional(number, 600)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.projector.timeout_seconds >= 600 && var.projector.timeout_seconds <= 1800
    error_message = "projector.timeout_seconds must be from 600, the dispatch deadline of its queue, to 1800."
  }
  validation {
    condition     = var.projector.concurrency >= 1 && var.projector.concurrency <= 1000 && var.projector.min_instances <= var.projector.max_instances
    error_message = "projector.concurrency must be from 1 to 1000, and min_instances at most max_instances."
  }
}

variable "push" {
  description = "The function that tells webhooks what their tasks have shown. It waits for the servers of strangers most of the time."
  type = object({
    concurrency     = optional(number, 40)
    cpu             = optional(string, "1")
    max_instances   = optional(number, 20)
    memory          = optional(string, "512Mi")
    min_instances   = optional(number, 0)
    timeout_seconds = optional(number, 300)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.push.timeout_seconds >= 60 && var.push.timeout_seconds <= 1800
    error_message = "push.timeout_seconds must be from 60 to 1800: it has to outlast attempts at a webhook (pushTimeout in settings)."
  }
  validation {
    condition     = var.push.concurrency >= 1 && var.push.concurrency <= 1000 && var.push.min_instances <= var.push.max_instances
    error_message = "push.concurrency must be from 1 to 1000, and min_instances at most max_instances."
  }
}

variable "queue_generation" {
  description = "Number in the queues' names. The name of a deleted queue is blocked for up to three days: after a `destroy`, go on with the next number."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.queue_generation >= 1 && var.queue_generation == floor(var.queue_generation)
    error_message = "queue_generation must be a whole number from 1."
  }
}

variable "queues" {
  description = "The queues: each class has as many as `shards`. Concurrent deliveries follow from what worker, projector, coordinator and push can take. `paused` stops all deliveries and keeps what is queued."
  type = object({
    log_sampling              = optional(number, 0.1)
    max_backoff_seconds       = optional(number, 300)
    max_dispatches_per_second = optional(number, 500)
    min_backoff_seconds       = optional(number, 1)
    paused                    = optional(bool, false)
    shards                    = optional(number, 2)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.queues.shards >= 1 && var.queues.shards <= 100 && var.queues.shards == floor(var.queues.shards)
    error_message = "queues.shards must be a whole number from 1 to 100."
  }
  validation {
    condition     = var.queues.max_dispatches_per_second > 0 && var.queues.max_dispatches_per_second <= 500
    error_message = "queues.max_dispatches_per_second must be above 0 and at most 500, the limit of a queue; add shards for more."
  }
  validation {
    condition     = var.queues.log_sampling >= 0 && var.queues.log_sampling <= 1
    error_message = "queues.log_sampling must be from 0 to 1."
  }
  validation {
    condition     = var.queues.min_backoff_seconds > 0 && var.queues.min_backoff_seconds <= var.queues.max_backoff_seconds
    error_message = "queues.min_backoff_seconds must be above 0 and at most max_backoff_seconds."
  }
}

variable "region" {
  description = "Region of functions, queues, buckets, keys and images."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "region must be a region such as europe-west1."
  }
}

variable "remote_private" {
  description = "Hosts in private networks that remote agents may have, with a port or without. No other remote agent is called at a private address."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for host in var.remote_private : can(regex("^([a-z0-9-]+=)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?$", host))])
    error_message = "remote_private: each must be the name or the IPv4 address of a host, with a port or without, such as agents.internal or 10.1.2.3:8443."
  }
}

variable "remote_secrets" {
  description = "Credentials for remote agents, by the name that a remote's `credential.secret` says; worker, coordinator and operator get them as files: `{ partner-token = { secret = \"partner-token\" } }`. `secret` is the id of a secret of the project, one of `secrets` (`PREFIX-NAME`) or another; its `version` must exist before the functions do."
  type = map(object({
    secret  = string
    version = optional(string, "latest")
  }))
  default  = {}
  nullable = false

  validation {
    condition = alltrue([
      for name in keys(var.remote_secrets) : can(regex("^[A-Za-z][A-Za-z0-9_-]{0,99}$", name))
    ])
    error_message = "remote_secrets: a name may have letters, digits, dashes and underscores."
  }
  validation {
    condition = alltrue([
      for of in values(var.remote_secrets) : can(regex("^[A-Za-z0-9_-]{1,255}$", of.secret)) && can(regex("^(latest|[0-9]+)$", of.version))
    ])
    error_message = "remote_secrets: secret is the id of a secret, without projects/ before it, and version latest or a number."
  }
}

variable "runtime" {
  description = "Runtime of the functions. The code needs Node 24 or newer."
  type        = string
  default     = "nodejs24"
  nullable    = false

  validation {
    condition     = try(tonumber(trimprefix(var.runtime, "nodejs")) >= 24, false)
    error_message = "runtime must be nodejs24 or newer."
  }
}

variable "scheduler" {
  description = "Calls the sweeper: by default every minute. `region` is another one where Cloud Scheduler does not offer the functions' region."
  type = object({
    paused   = optional(bool, false)
    region   = optional(string)
    schedule = optional(string, "* * * * *")
  })
  default  = {}
  nullable = false

  validation {
    condition     = length(split(" ", var.scheduler.schedule)) == 5
    error_message = "scheduler.schedule must be a unix-cron expression of five fields."
  }
}

variable "secrets" {
  description = "Secrets that agents read: the container `PREFIX-NAME` and who may read it. A person or another pipeline stores the values; they never get into the state."
  type = map(object({
    read_by = set(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition = alltrue([
      for secret in values(var.secrets) : length(setsubtract(secret.read_by, ["a2a", "worker", "projector", "coordinator", "push", "operator", "sweeper"])) == 0
    ])
    error_message = "secrets: read_by may name a2a, worker, projector, coordinator, push, operator and sweeper."
  }
  validation {
    condition     = alltrue([for name in keys(var.secrets) : can(regex("^[A-Za-z0-9_-]{1,200}$", name))])
    error_message = "secrets: a name may have letters, digits, dashes and underscores."
  }
}

variable "settings" {
  description = "Numbers of the system by their name in shared/domain/settings.ts, times in milliseconds and sizes in bytes: `{ blockingCap = 30000 }`. What is not named keeps its default."
  type        = map(number)
  default     = {}
  nullable    = false

  validation {
    condition = length(setsubtract(keys(var.settings), [
      "agentMemory",
      "agentSilence",
      "answerBytes",
      "approvalAge",
      "archiveInterval",
      "auditRetention",
      "backoff",
      "backoffMax",
      "blockingCap",
      "circuitFaults",
      "circuitRest",
      "circuitRestMax",
      "costRetention",
      "delegatedBytes",
      "delegations",
      "dependencyDeadline",
      "dependencyDeadlineMax",
      "filesBytes",
      "filesCount",
      "filesDepth",
      "filesFileBytes",
      "filesGrace",
      "filesKept",
      "filesOrphans",
      "filesPurge",
      "heartbeat",
      "inlineContent",
      "itemBytes",
      "lease",
      "leaseRenewal",
      "listShards",
      "liveInterval",
      "memory",
      "messageParts",
      "metadataBytes",
      "outgoingRequest",
      "ownerRequests",
      "ownerStreams",
      "ownerTasks",
      "pageBytes",
      "pageSize",
      "pageSizeMax",
      "pollInterval",
      "pollMax",
      "pollMin",
      "progressBytes",
      "progressDelay",
      "progressInterval",
      "pushAttempts",
      "pushBackoff",
      "pushBackoffMax",
      "pushHost",
      "pushSlow",
      "pushTimeout",
      "receiptLife",
      "remoteCall",
      "remoteMessage",
      "repeatAfter",
      "requestBodies",
      "requestBody",
      "requestValues",
      "requestWork",
      "requeues",
      "retention",
      "revocationDelay",
      "revokedRetention",
      "rounds",
      "runDeadline",
      "segment",
      "shards",
      "streamBytes",
      "streamLife",
      "sweepGrace",
      "sweepInterval",
      "taskArtifactBytes",
      "taskArtifacts",
      "taskMessages",
      "totalSizeMax",
      "trailRetention",
      "transactionDeadline",
      "waitingRetention",
      "webhooks",
      "workingSnapshot",
    ])) == 0
    error_message = "settings: unknown name. shared/domain/settings.ts lists them all."
  }
  validation {
    condition     = alltrue([for value in values(var.settings) : value >= 0 && value == floor(value)])
    error_message = "settings: every value must be a whole number, 0 or more."
  }
}

variable "sweeper" {
  description = "The function that acts on what is due. One call at a time is enough; two at once do no harm."
  type = object({
    concurrency     = optional(number, 1)
    cpu             = optional(string, "1")
    max_instances   = optional(number, 2)
    memory          = optional(string, "512Mi")
    min_instances   = optional(number, 0)
    timeout_seconds = optional(number, 300)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.sweeper.timeout_seconds >= 15 && var.sweeper.timeout_seconds <= 1800
    error_message = "sweeper.timeout_seconds must be from 15 to 1800: it is also the deadline of the scheduler's call."
  }
  validation {
    condition     = var.sweeper.concurrency >= 1 && var.sweeper.concurrency <= 1000 && var.sweeper.min_instances <= var.sweeper.max_instances
    error_message = "sweeper.concurrency must be from 1 to 1000, and min_instances at most max_instances."
  }
}

variable "traces" {
  description = "Where the functions send traces: `export` is `off`, `google` (Cloud Trace) or `otlp`, a collector at the base URL `endpoint`. `sampler` and `ratio` are OpenTelemetry's; docs/tracing.md says which suits Cloud Run."
  type = object({
    endpoint = optional(string)
    export   = optional(string, "off")
    ratio    = optional(number, 1)
    sampler  = optional(string, "parentbased_always_on")
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["off", "google", "otlp"], var.traces.export) && (var.traces.export != "otlp" || can(regex("^https?://", var.traces.endpoint)))
    error_message = "traces.export must be off, google or otlp, and otlp needs the http or https URL of a collector as endpoint."
  }
  validation {
    condition = var.traces.ratio >= 0 && var.traces.ratio <= 1 && contains([
      "always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio",
    ], var.traces.sampler)
    error_message = "traces.sampler must be one of OpenTelemetry's always_on, always_off and traceidratio, or one of them behind parentbased_; ratio from 0 to 1."
  }
}

variable "vertex_ai" {
  description = "Whether agents ask models of Vertex AI: enables its API, and lets the functions that run agents call it by their own identity."
  type        = bool
  default     = false
  nullable    = false
}

variable "worker" {
  description = "The function that runs the agents, one segment of a run in each request. `concurrency` is how many share an instance."
  type = object({
    concurrency     = optional(number, 8)
    cpu             = optional(string, "1")
    max_instances   = optional(number, 50)
    memory          = optional(string, "1Gi")
    min_instances   = optional(number, 0)
    timeout_seconds = optional(number, 600)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.worker.timeout_seconds >= 600 && var.worker.timeout_seconds <= 1800
    error_message = "worker.timeout_seconds must be from 600, the dispatch deadline of its queue, to 1800."
  }
  validation {
    condition     = var.worker.concurrency >= 1 && var.worker.concurrency <= 1000 && var.worker.min_instances <= var.worker.max_instances
    error_message = "worker.concurrency must be from 1 to 1000, and min_instances at most max_instances."
  }
}
