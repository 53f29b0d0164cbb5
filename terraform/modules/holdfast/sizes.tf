# Sizes that only make sense together. Each is a variable or a setting of its own; here they are held against each other.
locals {
  # The settings that count here, with the defaults of shared/domain/settings.ts: a test keeps them equal.
  numbers = merge({
    blockingCap   = 50000
    filesBytes    = 100663296
    filesKept     = 67108864
    pushSlow      = 20
    pushTimeout   = 15000
    remoteCall    = 30000
    requestBodies = 67108864
    requestBody   = 10485760
    segment       = 480000
    streamLife    = 1500000
  }, var.settings)

  # Cloud Tasks gives each delivery as long as shared/gcp/tasks/queue.ts says.
  dispatch_deadline_seconds = 600
  # What is left after a segment's last moment, to write how it ended.
  settling_seconds = 60

  units = { "" = 1 / pow(1024, 2), k = 1000 / pow(1024, 2), Ki = 1 / 1024, M = pow(1000, 2) / pow(1024, 2), Mi = 1, G = pow(1000, 3) / pow(1024, 2), Gi = 1024 }
  memory_mib = {
    for name, size in local.sizes :
    name => try(tonumber(regex("^([0-9.]+)(k|Ki|M|Mi|G|Gi)?$", size.memory)[0]) * local.units[coalesce(regex("^([0-9.]+)(k|Ki|M|Mi|G|Gi)?$", size.memory)[1], "Mi")], 0)
  }

  # The process itself, and what becomes of a byte that is read: text, objects, what is sealed, what is sent.
  process_mib      = 192
  copies_of_bodies = 4
  a2a_needs_mib    = local.process_mib + local.copies_of_bodies * ceil(local.numbers.requestBodies / pow(1024, 2))

  # The disk of an instance is its memory: a folder for each run that shares it, and those kept for the next ones.
  files_need_mib = {
    for name in ["operator", "worker"] :
    name => local.process_mib + ceil((local.sizes[name].concurrency * local.numbers.filesBytes + local.numbers.filesKept) / pow(1024, 2))
  }

  rules = {
    a2a = [
      {
        holds = local.memory_mib["a2a"] >= local.a2a_needs_mib
        says  = "a2a.memory must be at least ${local.a2a_needs_mib}Mi: ${local.process_mib} for the process and ${local.copies_of_bodies} times settings.requestBodies, what one instance reads at once whatever a2a.concurrency is. An instance that runs out of memory ends with every stream on it."
      },
      {
        holds = local.numbers.requestBodies >= local.numbers.requestBody
        says  = "settings.requestBodies must be at least settings.requestBody: no request of that size would ever be taken."
      },
      {
        holds = var.a2a.timeout_seconds * 1000 >= max(local.numbers.streamLife, local.numbers.blockingCap) + local.settling_seconds * 1000
        says  = "a2a.timeout_seconds must be a minute more than settings.streamLife and settings.blockingCap: Cloud Run would cut what is to be closed as planned."
      },
    ]
    grpc = [
      {
        holds = try(local.memory_mib["grpc"] >= local.a2a_needs_mib, true)
        says  = "grpc.memory must be at least ${local.a2a_needs_mib}Mi, as a2a.memory must."
      },
      {
        holds = try(var.grpc.timeout_seconds * 1000 >= max(local.numbers.streamLife, local.numbers.blockingCap) + local.settling_seconds * 1000, true)
        says  = "grpc.timeout_seconds must be a minute more than settings.streamLife and settings.blockingCap: Cloud Run would cut what is to be closed as planned."
      },
    ]
    worker = [
      {
        holds = local.memory_mib["worker"] >= local.files_need_mib["worker"]
        says  = "worker.memory must be at least ${local.files_need_mib["worker"]}Mi: ${local.process_mib} for the process, settings.filesBytes for each of worker.concurrency folders, and settings.filesKept. The disk of an instance is its memory."
      },
      {
        holds = local.numbers.segment + local.settling_seconds * 1000 <= min(var.worker.timeout_seconds, local.dispatch_deadline_seconds) * 1000
        says  = "settings.segment must be a minute less than worker.timeout_seconds and the dispatch deadline of ${local.dispatch_deadline_seconds} s: a delivery that is given up is made again while the first still works."
      },
    ]
    operator = [
      {
        holds = local.memory_mib["operator"] >= local.files_need_mib["operator"]
        says  = "operator.memory must be at least ${local.files_need_mib["operator"]}Mi, as worker.memory must: a decision that is carried out at once runs a segment in the request, with a folder of its own."
      },
      {
        holds = local.numbers.segment + local.settling_seconds * 1000 <= var.operator.timeout_seconds * 1000
        says  = "settings.segment must be a minute less than operator.timeout_seconds: a decision that is carried out at once runs a segment in the request."
      },
    ]
    push = [
      {
        holds = local.numbers.pushSlow < var.push.concurrency
        says  = "settings.pushSlow must be less than push.concurrency: webhooks that are slow would hold all that an instance delivers at once."
      },
      {
        # As long as TURN of shared/app/webhooks/claim-delivery.ts, and one attempt that began at its end.
        holds = local.numbers.pushTimeout + 60000 + local.settling_seconds * 1000 <= min(var.push.timeout_seconds, local.dispatch_deadline_seconds) * 1000
        says  = "settings.pushTimeout must be two minutes less than push.timeout_seconds and the dispatch deadline of ${local.dispatch_deadline_seconds} s: a delivery goes on for a minute and an attempt."
      },
    ]
    coordinator = [
      {
        holds = local.numbers.remoteCall * 3 <= min(var.coordinator.timeout_seconds, local.dispatch_deadline_seconds) * 1000
        says  = "settings.remoteCall must be a third of coordinator.timeout_seconds and of the dispatch deadline of ${local.dispatch_deadline_seconds} s at most: a delivery makes up to three calls to a remote agent."
      },
    ]
  }
}
