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

variable "deletion_protection" {
  description = "Keeps everything that holds data from being destroyed."
  type        = bool
  default     = true
}

variable "invokers" {
  description = "IAM members that may call the agents."
  type        = set(string)
  default     = []
}

variable "operator" {
  description = "Who gets through to the operator function."
  type        = any
  default     = {}
}

variable "operators" {
  description = "What each operator may do, by the address in its token."
  type        = any
  default     = {}
}

variable "packages_file" {
  description = "The list of the functions' zips that `holdfast build` writes; the zips lie beside it."
  type        = string
  default     = "../dist/packages.json"
}

variable "prefix" {
  description = "Prefix of every name; no two deployments of a project may share one."
  type        = string
  default     = "holdfast"
}

variable "project_id" {
  description = "Project of everything."
  type        = string
}

variable "project_number" {
  description = "Number of the project; looked up if null, which needs resourcemanager.projects.get."
  type        = string
  default     = null
}

variable "region" {
  description = "Region of everything."
  type        = string
}
