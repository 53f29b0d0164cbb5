# A domain of our own with Cloud Armor in front. The function keeps checking IAM: callers send a token for the function's own
# address, which is the output `audience`.
module "holdfast" {
  source = "../../modules/holdfast"

  project_id          = var.project_id
  project_number      = var.project_number
  region              = var.region
  packages            = local.packages
  invokers            = var.invokers
  deletion_protection = var.deletion_protection

  a2a = {
    base_url = "https://${var.domain}"
    ingress  = "ALLOW_INTERNAL_AND_GCLB"
  }
}

resource "google_project_service" "compute" {
  project            = var.project_id
  service            = "compute.googleapis.com"
  disable_on_destroy = false
}

resource "google_compute_region_network_endpoint_group" "main" {
  project               = var.project_id
  region                = var.region
  name                  = "holdfast-a2a"
  network_endpoint_type = "SERVERLESS"

  # Of a function of the second generation, the Cloud Run service behind it.
  cloud_run {
    service = module.holdfast.functions["a2a"].name
  }

  depends_on = [google_project_service.compute]
}

resource "google_compute_security_policy" "main" {
  project = var.project_id
  name    = "holdfast-a2a"

  rule {
    description = "At most ${var.requests_per_minute} requests a minute from one address."
    priority    = 1000
    action      = "throttle"

    match {
      versioned_expr = "SRC_IPS_V1"
      config {
        src_ip_ranges = ["*"]
      }
    }
    rate_limit_options {
      conform_action = "allow"
      exceed_action  = "deny(429)"
      enforce_on_key = "IP"
      rate_limit_threshold {
        count        = var.requests_per_minute
        interval_sec = 60
      }
    }
  }

  rule {
    description = "default"
    priority    = 2147483647
    action      = "allow"

    match {
      versioned_expr = "SRC_IPS_V1"
      config {
        src_ip_ranges = ["*"]
      }
    }
  }

  depends_on = [google_project_service.compute]
}

resource "google_compute_backend_service" "main" {
  project               = var.project_id
  name                  = "holdfast-a2a"
  protocol              = "HTTPS"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  security_policy       = google_compute_security_policy.main.id

  backend {
    group = google_compute_region_network_endpoint_group.main.id
  }
  log_config {
    enable      = true
    sample_rate = 0.1
  }
}

resource "google_compute_url_map" "main" {
  project         = var.project_id
  name            = "holdfast-a2a"
  default_service = google_compute_backend_service.main.id
}

resource "google_compute_managed_ssl_certificate" "main" {
  project = var.project_id
  name    = "holdfast-a2a"

  managed {
    domains = [var.domain]
  }

  depends_on = [google_project_service.compute]
}

resource "google_compute_target_https_proxy" "main" {
  project          = var.project_id
  name             = "holdfast-a2a"
  url_map          = google_compute_url_map.main.id
  ssl_certificates = [google_compute_managed_ssl_certificate.main.id]
}

resource "google_compute_global_address" "main" {
  project = var.project_id
  name    = "holdfast-a2a"

  depends_on = [google_project_service.compute]
}

resource "google_compute_global_forwarding_rule" "main" {
  project               = var.project_id
  name                  = "holdfast-a2a"
  ip_address            = google_compute_global_address.main.id
  port_range            = "443"
  target                = google_compute_target_https_proxy.main.id
  load_balancing_scheme = "EXTERNAL_MANAGED"
}

locals {
  packages = {
    for name, package in jsondecode(file(var.packages_file)) : name => {
      path   = "${dirname(var.packages_file)}/${basename(package.path)}"
      sha256 = package.sha256
    }
  }
}
