# Nothing here can be reached from the internet, and nothing goes out past the VPC.
module "holdfast" {
  source = "../../modules/holdfast"

  project_id          = var.project_id
  project_number      = var.project_number
  region              = var.region
  packages            = local.packages
  invokers            = var.invokers
  deletion_protection = var.deletion_protection

  a2a = {
    ingress = "ALLOW_INTERNAL_ONLY"
  }
  operator = {
    ingress = "ALLOW_INTERNAL_ONLY"
  }
  network = {
    network    = google_compute_network.main.id
    subnetwork = google_compute_subnetwork.main.id
    egress     = "VPC_EGRESS_ALL_TRAFFIC"
  }
  build_worker_pool = var.build_worker_pool
}

resource "google_project_service" "compute" {
  project            = var.project_id
  service            = "compute.googleapis.com"
  disable_on_destroy = false
}

resource "google_compute_network" "main" {
  project                 = var.project_id
  name                    = "holdfast"
  auto_create_subnetworks = false

  depends_on = [google_project_service.compute]
}

resource "google_compute_subnetwork" "main" {
  project = var.project_id
  region  = var.region
  name    = "holdfast"
  network = google_compute_network.main.id
  # Each instance takes two addresses, and during a deployment old and new ones are there: four for each of the 142 instances that the
  # functions may have.
  ip_cidr_range = "10.8.0.0/22"
  # The way to Firestore, Cloud Storage, Cloud Tasks and Cloud KMS.
  private_ip_google_access = true
}

locals {
  packages = {
    for name, package in jsondecode(file(var.packages_file)) : name => {
      path   = "${dirname(var.packages_file)}/${basename(package.path)}"
      sha256 = package.sha256
    }
  }
}
