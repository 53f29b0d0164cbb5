output "address" {
  description = "IP address for the domain's A record."
  value       = google_compute_global_address.main.address
}

output "audience" {
  description = "For which address a caller's identity token must be made out."
  value       = module.holdfast.audience
}

output "endpoint" {
  description = "Public address of the A2A function."
  value       = module.holdfast.endpoint
}
