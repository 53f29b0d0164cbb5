// One conversation with an agent through the client of the official SDK for Go.
//
//	go run . <base URL> <binding version>...    as "JSONRPC 1.0" "HTTP+JSON 0.3"
//
// Prints what it sees, one `name: value` a line; tools/interop/expected.ts says what that must be.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log"
	"net/http"
	"os"
	"reflect"
	"sort"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	a2agrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

var ctx = context.Background()

func see(name string, value any) { fmt.Printf("%s: %v\n", name, value) }

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func state(task *a2a.Task) string {
	return strings.TrimPrefix(string(task.Status.State), "TASK_STATE_")
}

func text(parts []*a2a.Part) string {
	said := ""
	for _, part := range parts {
		said += part.Text()
	}
	return said
}

func eventName(event a2a.Event) string {
	switch each := event.(type) {
	case *a2a.Task:
		return "task " + state(each)
	case *a2a.TaskStatusUpdateEvent:
		return "status " + strings.TrimPrefix(string(each.Status.State), "TASK_STATE_")
	case *a2a.TaskArtifactUpdateEvent:
		return "artifact " + string(each.Artifact.ID)
	default:
		return "message"
	}
}

func eventNames(events iter.Seq2[a2a.Event, error]) (string, error) {
	names := []string{}
	for event, err := range events {
		if err != nil {
			return "", err
		}
		names = append(names, eventName(event))
	}
	return strings.Join(names, ", "), nil
}

func message(parts ...*a2a.Part) *a2a.SendMessageRequest {
	return &a2a.SendMessageRequest{Message: a2a.NewMessage(a2a.MessageRoleUser, parts...)}
}

func reply(task *a2a.Task, words string) *a2a.SendMessageRequest {
	said := a2a.NewMessageForTask(a2a.MessageRoleUser, task, a2a.NewTextPart(words))
	return &a2a.SendMessageRequest{Message: said}
}

var kinds = map[string]error{
	"ErrTaskNotFound":         a2a.ErrTaskNotFound,
	"ErrTaskNotCancelable":    a2a.ErrTaskNotCancelable,
	"ErrUnsupportedOperation": a2a.ErrUnsupportedOperation,
	"ErrInvalidParams":        a2a.ErrInvalidParams,
}

func outcome(name string, value any, err error) {
	if err == nil {
		see(name, value)
		return
	}
	for kind, each := range kinds {
		if errors.Is(err, each) {
			see(name, kind)
			return
		}
	}
	see(name, err)
}

func stateOr(task *a2a.Task, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return state(task), nil
}

func clientOf(base, binding, version string) *a2aclient.Client {
	resolver := agentcard.NewResolver(http.DefaultClient)
	if version == "0.3" {
		// As a client reads the card that knows no newer version.
		resolver.CardParser = func(body []byte) (*a2a.AgentCard, error) {
			fields := map[string]any{}
			if err := json.Unmarshal(body, &fields); err != nil {
				return nil, err
			}
			delete(fields, "supportedInterfaces")
			return a2av0.NewAgentCardParser()(must(json.Marshal(fields)))
		}
	}
	card := must(resolver.Resolve(ctx, base))
	offered := map[string]bool{}
	ways := []*a2a.AgentInterface{}
	for _, each := range card.SupportedInterfaces {
		offered[string(each.ProtocolBinding)] = true
		if string(each.ProtocolBinding) == binding && strings.HasPrefix(string(each.ProtocolVersion), version) {
			ways = append(ways, each)
		}
	}
	names := []string{}
	for each := range offered {
		names = append(names, each)
	}
	sort.Strings(names)
	see("card", card.Name+": "+strings.Join(names, ", "))
	if len(ways) == 0 {
		// Its reader of old cards leaves interfaces out that share a URL, and its paths lack their /v1.
		protocol := a2a.TransportProtocol(binding)
		ways = []*a2a.AgentInterface{{URL: base + "/v1", ProtocolBinding: protocol, ProtocolVersion: a2a.ProtocolVersion(version)}}
	}
	card.SupportedInterfaces = ways
	return must(a2aclient.NewFromCard(
		ctx,
		card,
		a2agrpc.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials())),
		a2aclient.WithRESTTransport(http.DefaultClient),
		a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{}),
		a2av0.WithRESTTransport(a2av0.RESTTransportConfig{}),
	))
}

func converse(base, binding, version string) {
	client := clientOf(base, binding, version)
	send := func(request *a2a.SendMessageRequest) *a2a.Task {
		return must(client.SendMessage(ctx, request)).(*a2a.Task)
	}
	say := func(words string) *a2a.Task { return send(message(a2a.NewTextPart(words))) }

	done := say("steps=2")
	see("send", state(done)+", "+text(done.Status.Message.Parts))
	shown := []string{}
	for _, each := range done.Artifacts {
		shown = append(shown, string(each.ID)+" "+text(each.Parts))
	}
	see("artifacts", strings.Join(shown, ", "))
	see("get", state(must(client.GetTask(ctx, &a2a.GetTaskRequest{ID: done.ID}))))
	pong := must(client.SendMessage(ctx, message(a2a.NewTextPart("ping")))).(*a2a.Message)
	see("message", text(pong.Parts))
	see("stream", must(eventNames(client.SendStreamingMessage(ctx, message(a2a.NewTextPart("steps=2 events=1"))))))

	raw := a2a.NewRawPart([]byte{0, 255})
	raw.Filename, raw.MediaType = "two.bin", "application/octet-stream"
	data := a2a.NewDataPart(map[string]any{"a": []any{1.0, map[string]any{"b": nil}}})
	sent := []*a2a.Part{a2a.NewTextPart("echo"), data, raw}
	back := send(message(sent...)).Artifacts[0].Parts
	if reflect.DeepEqual([]*a2a.Part(back), sent) {
		see("echo", "the same")
	} else {
		see("echo", fmt.Sprintf("%+v %+v %+v", *back[0], *back[1], *back[2]))
	}

	asked := say("ask")
	see("ask", state(asked)+", "+text(asked.Status.Message.Parts))
	next, stop := iter.Pull2(client.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: asked.ID}))
	first, err, _ := next()
	seen := []string{eventName(must(first, err))}
	answered := send(reply(asked, "blue"))
	see("answer", state(answered)+", "+text(answered.Status.Message.Parts))
	for event, err, more := next(); more; event, err, more = next() {
		seen = append(seen, eventName(must(event, err)))
	}
	stop()
	see("subscription", strings.Join(seen, ", "))

	atOnce := message(a2a.NewTextPart("wait=60000"))
	atOnce.Config = &a2a.SendMessageConfig{ReturnImmediately: true}
	working := send(atOnce)
	if word := state(working); word == "SUBMITTED" || word == "WORKING" {
		see("at once", "open")
	} else {
		see("at once", word)
	}
	see("cancel", state(must(client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: working.ID}))))
	if version == "1.0" {
		states := []string{}
		for _, each := range must(client.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: asked.ContextID})).Tasks {
			states = append(states, state(each))
		}
		see("list", strings.Join(states, ", "))
	}

	waits := say("ask")
	hook := &a2a.PushConfig{TaskID: waits.ID, ID: "hook", URL: "http://127.0.0.1:9/", Token: "t"}
	made := must(client.CreateTaskPushConfig(ctx, hook))
	see("push", made.ID+" "+made.URL)
	got := must(client.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: waits.ID, ID: "hook"}))
	see("push again", got.ID)
	hooks, err := client.ListTaskPushConfigs(ctx, &a2a.ListTaskPushConfigRequest{TaskID: waits.ID})
	outcome("pushes", len(hooks), err)
	err = client.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigRequest{TaskID: waits.ID, ID: "hook"})
	outcome("push deleted", "None", err)

	found, err := stateOr(client.GetTask(ctx, &a2a.GetTaskRequest{ID: "no-such-task"}))
	outcome("unknown task", found, err)
	found, err = stateOr(client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: working.ID}))
	outcome("cancel again", found, err)
	found, err = stateOr(client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: done.ID}))
	outcome("cancel of a finished task", found, err)
	_, err = client.SendMessage(ctx, reply(done, "more"))
	outcome("message to a finished task", "taken", err)
	late, err := eventNames(client.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: done.ID}))
	outcome("subscription to a finished task", late, err)
}

func main() {
	for _, way := range os.Args[2:] {
		fmt.Println("== " + way)
		binding, version, _ := strings.Cut(way, " ")
		converse(os.Args[1], binding, version)
	}
}
