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

variable "packages_file" {
  description = "The list of the functions' zips that the build command writes; the zips lie beside it."
  type        = string
  default     = "../../../dist/packages.json"
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
  default     = "europe-west1"
}
