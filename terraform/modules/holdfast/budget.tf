resource "google_billing_budget" "main" {
  count = var.budget == null ? 0 : 1

  billing_account = var.budget.billing_account
  display_name    = "${var.prefix}: ${var.project_id}"

  budget_filter {
    projects = ["projects/${local.project_number}"]
  }

  amount {
    specified_amount {
      currency_code = var.budget.currency
      units         = tostring(var.budget.amount)
    }
  }

  dynamic "threshold_rules" {
    for_each = toset(["0.5", "0.9", "1.0"])

    content {
      threshold_percent = tonumber(threshold_rules.value)
    }
  }

  dynamic "all_updates_rule" {
    for_each = length(var.alerts.notification_channels) == 0 ? [] : [var.alerts.notification_channels]

    content {
      # The API takes five channels at most.
      monitoring_notification_channels = slice(all_updates_rule.value, 0, min(5, length(all_updates_rule.value)))
    }
  }

  depends_on = [google_project_service.main]
}
