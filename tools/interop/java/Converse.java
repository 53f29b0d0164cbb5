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
import io.a2a.spec.AgentCard;
import io.a2a.spec.Message;
import io.a2a.spec.Part;
import io.a2a.spec.Task;
import io.a2a.spec.TaskArtifactUpdateEvent;
import io.a2a.spec.TaskIdParams;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TaskStatusUpdateEvent;
import io.a2a.spec.TextPart;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * One conversation with an agent through the client of the official SDK for Java:
 * {@code java -cp 'lib/*' Converse.java <base URL> <JSONRPC|HTTP+JSON>...}. Prints what it sees, one
 * {@code name: value} a line; tools/interop/expected.ts says what that must be.
 */
class Converse {
  static void see(String name, Object value) {
    System.out.println(name + ": " + value);
  }

  static String text(List<Part<?>> parts) {
    StringBuilder said = new StringBuilder();
    for (Part<?> part : parts) if (part instanceof TextPart words) said.append(words.getText());
    return said.toString();
  }

  static String eventName(ClientEvent event) {
    if (event instanceof TaskEvent whole) return "task " + whole.getTask().getStatus().state().name();
    if (event instanceof TaskUpdateEvent update) {
      if (update.getUpdateEvent() instanceof TaskStatusUpdateEvent status)
        return "status " + status.getStatus().state().name();
      if (update.getUpdateEvent() instanceof TaskArtifactUpdateEvent shown)
        return "artifact " + shown.getArtifact().artifactId();
    }
    return "message";
  }

  static Message message(String words, Task about) {
    Message.Builder builder =
        new Message.Builder()
            .role(Message.Role.USER)
            .messageId(UUID.randomUUID().toString())
            .parts(new TextPart(words));
    return about == null ? builder.build() : builder.taskId(about.getId()).contextId(about.getContextId()).build();
  }

  static ClientEvent last(Client client, Message message) throws Exception {
    CompletableFuture<ClientEvent> found = new CompletableFuture<>();
    client.sendMessage(message, List.of((event, card) -> found.complete(event)), found::completeExceptionally, null);
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
    ClientConfig config = new ClientConfig.Builder().setStreaming(streaming).setUseClientPreference(true).build();
    var builder = Client.builder(card).clientConfig(config);
    return binding.equals("JSONRPC")
        ? builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig()).build()
        : builder.withTransport(RestTransport.class, new RestTransportConfig()).build();
  }

  static void converse(String base, String binding) throws Exception {
    AgentCard card = A2A.getAgentCard(base);
    see("card", card.name());
    Client plain = client(card, binding, false);
    Client streaming = client(card, binding, true);

    Task done = say(plain, "steps=2", null);
    see("send", done.getStatus().state().name() + ", " + text(done.getStatus().message().getParts()));
    List<String> shown = new ArrayList<>();
    for (var each : done.getArtifacts()) shown.add(each.artifactId() + " " + text(each.parts()));
    see("artifacts", String.join(", ", shown));
    see("get", plain.getTask(new TaskQueryParams(done.getId()), null).getStatus().state().name());
    see("message", text(((MessageEvent) last(plain, message("ping", null))).getMessage().getParts()));

    List<String> names = new ArrayList<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    BiConsumer<ClientEvent, AgentCard> noting =
        (event, about) -> {
          names.add(eventName(event));
          if (names.get(names.size() - 1).equals("status COMPLETED")) over.complete(null);
        };
    streaming.sendMessage(message("steps=2 events=1", null), List.of(noting), over::completeExceptionally, null);
    over.get(30, TimeUnit.SECONDS);
    see("stream", String.join(", ", names));

    Task asked = say(plain, "ask", null);
    see("ask", asked.getStatus().state().name() + ", " + text(asked.getStatus().message().getParts()));
    Task answered = say(plain, "blue", asked);
    see("answer", answered.getStatus().state().name() + ", " + text(answered.getStatus().message().getParts()));

    Task waits = say(plain, "ask", null);
    see("cancel", plain.cancelTask(new TaskIdParams(waits.getId()), null).getStatus().state().name());
    outcome("unknown task", () -> plain.getTask(new TaskQueryParams("no-such-task"), null));
    outcome("cancel of a finished task", () -> plain.cancelTask(new TaskIdParams(done.getId()), null));
    outcome("message to a finished task", () -> last(plain, message("more", done)));
    outcome(
        "subscription to a finished task",
        () -> {
          CompletableFuture<String> late = new CompletableFuture<>();
          BiConsumer<ClientEvent, AgentCard> each = (event, about) -> late.complete(eventName(event));
          streaming.resubscribe(new TaskIdParams(done.getId()), List.of(each), late::completeExceptionally, null);
          return late.get(10, TimeUnit.SECONDS);
        });
  }

  public static void main(String[] args) throws Exception {
    for (int at = 1; at < args.length; at += 1) {
      System.out.println("== " + args[at] + " 0.3");
      converse(args[0], args[at]);
    }
    System.exit(0);
  }
}
