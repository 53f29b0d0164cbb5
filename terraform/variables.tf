# Passed on to the module, which says what each may be (modules/holdfast/README.md) and checks it; hence the type `any`.

variable "a2a" {
  description = "The function that speaks A2A."
  type        = any
  default     = {}
}

variable "access" {
  description = "How callers of the agents prove who they are."
  type        = any
  default     = {}
}

variable "alerts" {
  description = "Alert policies and their thresholds."
  type        = any
  default     = {}
}

variable "allow_unauthenticated" {
  description = "Lets requests of anyone on the internet through to the A2A function, which asks callers as `access` says."
  type        = bool
  default     = false
}

variable "binary_authorization" {
  description = "Policy of Binary Authorization for the functions' containers: `default`, or the full name of a platform policy."
  type        = string
  default     = null
}

variable "bucket" {
  description = "The bucket for large content and the archive."
  type        = any
  default     = {}
}

variable "budget" {
  description = "A budget for the project's cost in a month, with mails at 50, 90 and 100 percent."
  type        = any
  default     = null
}

variable "build_worker_pool" {
  description = "Full name of the Cloud Build worker pool that builds the containers; Google's default pool if null."
  type        = string
  default     = null
}

variable "card_signing" {
  description = "Signs the agent cards, for clients that pin its public key: with `versions` of a given key (`key`), or of one that the module makes."
  type        = any
  default     = null
}

variable "cmek" {
  description = "Encrypts stored data with this key: `key` for everything that lies in the region, `database_key` for a database in another location."
  type        = any
  default     = null
}

variable "coordinator" {
  description = "The function that looks at the tasks of remote agents for the runs that wait for them."
  type        = any
  default     = {}
}

variable "database" {
  description = "The Firestore database."
  type        = any
  default     = {}
}

variable "deletion_protection" {
  description = "Keeps database, buckets, keys, queues and secrets from being deleted, also by `terraform destroy`."
  type        = bool
  default     = true
}

variable "enable_services" {
  description = "Turns on the APIs that the module needs."
  type        = bool
  default     = true
}

variable "grant_delay_seconds" {
  description = "How long a first apply waits for its grants to hold."
  type        = number
  default     = 120
}

variable "grpc" {
  description = "Serves the agents over gRPC, too: `{ image = \"REGION-docker.pkg.dev/PROJECT/PREFIX/grpc@sha256:...\" }`."
  type        = any
  default     = null
}

variable "invokers" {
  description = "IAM members that may call the A2A function, such as `group:agents@example.com`."
  type        = set(string)
  default     = []
}

variable "kms" {
  description = "The key that wraps the data keys of the runs: a given one (`key`, a full name), or one that the module makes and rotates."
  type        = any
  default     = {}
}

variable "labels" {
  description = "Labels on everything that takes labels."
  type        = map(string)
  default     = {}
}

variable "log_level" {
  description = "Least severe log line that the functions write."
  type        = string
  default     = "info"
}

variable "metrics" {
  description = "Where the functions send metrics."
  type        = any
  default     = {}
}

variable "model_prices" {
  description = "What models cost per million tokens: `{ \"gemini-3-pro-preview\" = { input = 2, output = 12, cached_input = 0.2 } }`."
  type        = any
  default     = {}
}

variable "network" {
  description = "Sends the functions' outgoing traffic through a VPC (Direct VPC egress)."
  type        = any
  default     = null
}

variable "notices" {
  description = "Whom operators want told of what waits, fails or ends."
  type        = any
  default     = []
}

variable "operator" {
  description = "The function that operators and their command line call, and who gets through to it: `{ invokers = [\"group:operators@example.com\"] }`."
  type        = any
  default     = {}
}

variable "operators" {
  description = "What each operator may do, by the address in its token."
  type        = any
  default     = {}
}

variable "packages_file" {
  description = "The list of the functions' zips that the build command writes; the zips lie beside it."
  type        = string
  default     = "../dist/packages.json"
}

variable "prefix" {
  description = "Prefix of every name; no two deployments of a project may share one."
  type        = string
  default     = "holdfast"
}

variable "privacy" {
  description = "What may be kept of answers (`answer_ceiling`), and of the steps of runs that have ended and of errors (`audit_ceiling`), at most, and what redacts: `{ answer_ceiling = \"redacted\", redactor = \"dlp\" }`."
  type = object({
    answer_ceiling = optional(string, "metadata")
    audit_ceiling  = optional(string, "metadata")
    redactor       = optional(string, "patterns")
  })
  default  = {}
  nullable = false
}

variable "private_ingress" {
  description = "Where calls to worker, projector, coordinator, push and sweeper may come from."
  type        = string
  default     = "ALLOW_INTERNAL_ONLY"
}

variable "project_id" {
  description = "Project of all resources."
  type        = string
}

variable "project_number" {
  description = "Number of the project; looked up if null, which needs resourcemanager.projects.get."
  type        = string
  default     = null
}

variable "projector" {
  description = "The function that brings views, journals and archives up to date where a worker could not."
  type        = any
  default     = {}
}

variable "push" {
  description = "The function that tells webhooks what their tasks have shown."
  type        = any
  default     = {}
}

variable "queue_generation" {
  description = "Number in the queues' names."
  type        = number
  default     = 1
}

variable "queues" {
  description = "The queues: each class has as many as `shards`."
  type        = any
  default     = {}
}

variable "region" {
  description = "Region of functions, queues, buckets, keys and images."
  type        = string
}

variable "remote_private" {
  description = "Hosts in private networks that remote agents may have."
  type        = set(string)
  default     = []
}

variable "remote_secrets" {
  description = "Credentials for remote agents, by the name that a remote's `credential.secret` says."
  type        = any
  default     = {}
}

variable "runtime" {
  description = "Runtime of the functions."
  type        = string
  default     = "nodejs24"
}

variable "scheduler" {
  description = "Calls the sweeper: by default every minute."
  type        = any
  default     = {}
}

variable "secrets" {
  description = "Secrets that agents read: the container `PREFIX-NAME` and who may read it."
  type        = any
  default     = {}
}

variable "settings" {
  description = "Numbers of the system by their name in shared/domain/settings.ts, times in milliseconds and sizes in bytes: `{ blockingCap = 30000 }`."
  type        = map(number)
  default     = {}
}

variable "sweeper" {
  description = "The function that acts on what is due."
  type        = any
  default     = {}
}

variable "traces" {
  description = "Where the functions send traces: `{ export = \"google\", sampler = \"always_on\" }` for Cloud Trace."
  type        = any
  default     = {}
}

variable "vertex_ai" {
  description = "Whether agents ask models of Vertex AI, by the functions' own identity."
  type        = bool
  default     = false
}

variable "worker" {
  description = "The function that runs the agents, one segment of a run in each request."
  type        = any
  default     = {}
}
