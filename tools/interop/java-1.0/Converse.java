import io.a2a.A2A;
import io.a2a.client.Client;
import io.a2a.client.ClientEvent;
import io.a2a.client.MessageEvent;
import io.a2a.client.TaskEvent;
import io.a2a.client.TaskUpdateEvent;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfig;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.rest.RestTransportConfig;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.spec.AgentCard;
import io.a2a.spec.ListTasksParams;
import io.a2a.spec.Message;
import io.a2a.spec.Part;
import io.a2a.spec.Task;
import io.a2a.spec.TaskArtifactUpdateEvent;
import io.a2a.spec.TaskIdParams;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TaskStatus;
import io.a2a.spec.TaskStatusUpdateEvent;
import io.a2a.spec.TextPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * One conversation with an agent through the client of the official SDK for Java, before its 1.0:
 * {@code java -cp 'lib/*' Converse.java <base URL> <JSONRPC|HTTP+JSON>...}. Prints what it sees, one
 * {@code name: value} a line; tools/interop/expected.ts says what that must be.
 */
class Converse {
  /** It does not send its version by itself. */
  static final ClientCallContext V1 = new ClientCallContext(Map.of(), Map.of("A2A-Version", "1.0"));

  static void see(String name, Object value) {
    System.out.println(name + ": " + value);
  }

  static String text(List<Part<?>> parts) {
    StringBuilder said = new StringBuilder();
    for (Part<?> part : parts) if (part instanceof TextPart words) said.append(words.text());
    return said.toString();
  }

  static String state(TaskStatus status) {
    return status.state().name().replace("TASK_STATE_", "");
  }

  static String eventName(ClientEvent event) {
    if (event instanceof TaskEvent whole) return "task " + state(whole.getTask().status());
    if (event instanceof TaskUpdateEvent update) {
      if (update.getUpdateEvent() instanceof TaskStatusUpdateEvent status)
        return "status " + state(status.status());
      if (update.getUpdateEvent() instanceof TaskArtifactUpdateEvent shown)
        return "artifact " + shown.artifact().artifactId();
    }
    return "message";
  }

  static Message message(String words, Task about) {
    Message.Builder builder =
        Message.builder()
            .role(Message.Role.ROLE_USER)
            .messageId(UUID.randomUUID().toString())
            .parts(new TextPart(words));
    return about == null ? builder.build() : builder.taskId(about.id()).contextId(about.contextId()).build();
  }

  static ClientEvent last(Client client, Message message) throws Exception {
    CompletableFuture<ClientEvent> found = new CompletableFuture<>();
    client.sendMessage(message, List.of((event, card) -> found.complete(event)), found::completeExceptionally, V1);
    return found.get(30, TimeUnit.SECONDS);
  }

  static Task say(Client client, String words, Task about) throws Exception {
    return ((TaskEvent) last(client, message(words, about))).getTask();
  }

  static void outcome(String name, Callable<Object> call) {
    try {
      see(name, call.call());
    } catch (Exception error) {
      Throwable cause = error;
      while (cause.getCause() != null) cause = cause.getCause();
      see(name, cause.getClass().getSimpleName());
    }
  }

  static Client client(AgentCard card, String binding, boolean streaming) throws Exception {
    ClientConfig config = ClientConfig.builder().setStreaming(streaming).setUseClientPreference(true).build();
    var builder = Client.builder(card).clientConfig(config);
    return binding.equals("JSONRPC")
        ? builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig()).build()
        : builder.withTransport(RestTransport.class, new RestTransportConfig()).build();
  }

  static void converse(String base, String binding) throws Exception {
    AgentCard card = A2A.getAgentCard(base, null, V1.getHeaders());
    see("card", card.name());
    Client plain = client(card, binding, false);
    Client streaming = client(card, binding, true);

    Task done = say(plain, "steps=2", null);
    see("send", state(done.status()) + ", " + text(done.status().message().parts()));
    List<String> shown = new ArrayList<>();
    for (var each : done.artifacts()) shown.add(each.artifactId() + " " + text(each.parts()));
    see("artifacts", String.join(", ", shown));
    see("get", state(plain.getTask(new TaskQueryParams(done.id()), V1).status()));
    see("message", text(((MessageEvent) last(plain, message("ping", null))).getMessage().parts()));

    List<String> names = new ArrayList<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    BiConsumer<ClientEvent, AgentCard> noting =
        (event, about) -> {
          names.add(eventName(event));
          if (names.get(names.size() - 1).equals("status COMPLETED")) over.complete(null);
        };
    streaming.sendMessage(message("steps=2 events=1", null), List.of(noting), over::completeExceptionally, V1);
    over.get(30, TimeUnit.SECONDS);
    see("stream", String.join(", ", names));

    Task asked = say(plain, "ask", null);
    see("ask", state(asked.status()) + ", " + text(asked.status().message().parts()));
    Task answered = say(plain, "blue", asked);
    see("answer", state(answered.status()) + ", " + text(answered.status().message().parts()));

    List<String> listed = new ArrayList<>();
    var ofContext = ListTasksParams.builder().contextId(done.contextId()).pageSize(1).tenant("").build();
    for (Task each : plain.listTasks(ofContext, V1).tasks()) listed.add(state(each.status()));
    see("list", String.join(", ", listed));

    Task waits = say(plain, "ask", null);
    see("cancel", state(plain.cancelTask(new TaskIdParams(waits.id()), V1).status()));
    outcome("unknown task", () -> plain.getTask(new TaskQueryParams("no-such-task"), V1));
    outcome("cancel of a finished task", () -> plain.cancelTask(new TaskIdParams(done.id()), V1));
    outcome("message to a finished task", () -> last(plain, message("more", done)));
    outcome(
        "subscription to a finished task",
        () -> {
          CompletableFuture<String> late = new CompletableFuture<>();
          BiConsumer<ClientEvent, AgentCard> each = (event, about) -> late.complete(eventName(event));
          streaming.subscribeToTask(new TaskIdParams(done.id()), List.of(each), late::completeExceptionally, V1);
          return late.get(10, TimeUnit.SECONDS);
        });
  }

  public static void main(String[] args) throws Exception {
    for (int at = 1; at < args.length; at += 1) {
      System.out.println("== " + args[at] + " 1.0");
      converse(args[0], args[at]);
    }
    System.exit(0);
  }
}
