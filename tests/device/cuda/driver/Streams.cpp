#include "Streams.h"

#include <algorithm>
#include <utility>

namespace checking {

namespace {

/// The default stream by its other name.
constexpr uintptr_t legacy = 1;

/// Whether work in the one waits for work in the other.
bool isOrdered(const Stream *a, const Stream *b) {
  return a == b || ((!a || a->isBlocking) && (!b || b->isBlocking) && (!a || !b));
}

} // namespace

Result findStream(Context &context, void *handle, Stream *&stream) {
  stream = nullptr;
  if (!handle || uintptr_t(handle) == legacy)
    return success;
  stream = object(driver().streams, handle, "stream");
  if (!stream)
    return invalidHandle;
  if (stream->context != &context)
    return Misuse(invalidHandle) << "the stream is of another context";
  return success;
}

Result enqueue(Context &context, void *handle, std::function<void()> run) {
  Stream *stream;
  if (const Result result = findStream(context, handle, stream))
    return result;
  context.work.push_back({stream, std::move(run)});
  return success;
}

void finish(Context &context, const Stream *stream) {
  ++driver().configured.waits;
  // From the end: what has to be done is the stream's, and all before that which waited-for work waits for.
  std::vector<const Stream *> awaited{stream};
  std::vector<bool> isDue(context.work.size());
  for (size_t i = context.work.size(); i-- > 0;) {
    const Stream *of = context.work[i].stream;
    const auto waits = [&](const Stream *later) { return isOrdered(of, later); };
    isDue[i] = of == stream || (awaited.size() > 1 && std::any_of(awaited.begin(), awaited.end(), waits));
    if (isDue[i])
      awaited.push_back(of);
  }
  std::deque<Work> left, due;
  for (size_t i = 0; i < context.work.size(); ++i)
    (isDue[i] ? due : left).push_back(std::move(context.work[i]));
  context.work = std::move(left);
  for (const Work &work : due)
    work.run();
}

void finishAll(Context &context) {
  ++driver().configured.waits;
  for (const Work &work : std::exchange(context.work, {}))
    work.run();
}

} // namespace checking

using namespace checking;

extern "C" {
int cuStreamCreate(void **handle, unsigned flags) {
  return inContext("cuStreamCreate", [&](Context &context) -> Result {
    if (flags > 1)
      return Misuse(invalidValue) << "flags are " << flags;
    auto stream = std::make_unique<Stream>(Stream{&context, flags == 0});
    *handle = stream.get();
    driver().streams[*handle] = std::move(stream);
    return success;
  });
}

int cuStreamDestroy_v2(void *handle) {
  return inContext("cuStreamDestroy", [&](Context &) -> Result {
    Stream *stream = object(driver().streams, handle, "stream");
    if (!stream)
      return invalidHandle;
    finish(*stream->context, stream);
    driver().streams.erase(handle);
    return success;
  });
}

int cuStreamSynchronize(void *handle) {
  return inContext("cuStreamSynchronize", [&](Context &context) -> Result {
    Stream *stream;
    if (const Result result = findStream(context, handle, stream))
      return result;
    finish(context, stream);
    return context.lost;
  });
}

int cuEventCreate(void **handle, unsigned) {
  return inContext("cuEventCreate", [&](Context &context) {
    auto event = std::make_unique<Event>(Event{&context});
    *handle = event.get();
    driver().events[*handle] = std::move(event);
    return success;
  });
}

int cuEventRecord(void *handle, void *stream) {
  return inContext("cuEventRecord", [&](Context &context) -> Result {
    Event *event = object(driver().events, handle, "event");
    if (!event)
      return invalidHandle;
    event->isRecorded = true;
    event->isDone = false;
    return enqueue(context, stream, [&context, event] {
      event->isDone = true;
      event->milliseconds = context.milliseconds;
    });
  });
}

int cuEventSynchronize(void *handle) {
  return inContext("cuEventSynchronize", [&](Context &context) -> Result {
    Event *event = object(driver().events, handle, "event");
    if (!event)
      return invalidHandle;
    if (!event->isRecorded)
      return Misuse(success) << "it was never recorded";
    finishAll(context);
    return success;
  });
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  return inContext("cuEventElapsedTime", [&](Context &) -> Result {
    const Event *from = object(driver().events, start, "event"), *to = object(driver().events, end, "event");
    if (!from || !to || !from->isRecorded || !to->isRecorded)
      return invalidHandle;
    if (!from->isDone || !to->isDone)
      return Misuse(notReady) << "an event is not done";
    *milliseconds = float(to->milliseconds - from->milliseconds);
    return success;
  });
}

int cuEventDestroy_v2(void *handle) {
  return inContext("cuEventDestroy", [&](Context &context) -> Result {
    if (!object(driver().events, handle, "event"))
      return invalidHandle;
    finishAll(context);
    driver().events.erase(handle);
    return success;
  });
}
}
