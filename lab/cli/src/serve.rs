//! A browser of a store: the report of each run, histories and the fleet, over HTTP. Nothing can be
//! written through it: the store is opened for reading, and only GET and HEAD are answered.
//!
//! It has no users and no passwords. It listens on this machine alone unless told otherwise; a
//! proxy in front of it can ask for a password.

mod pages;

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;

use crate::output;
use pages::{Page, Pages};

/// Pages that are made at the same time.
const AT_ONCE: usize = 8;

/// Names under which this machine calls itself.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What to serve, and to whom.
#[derive(Debug, Clone)]
pub struct Service {
    /// The path or address of the store.
    pub store: PathBuf,
    /// The address to listen on.
    pub address: SocketAddr,
    /// Names under which browsers may ask, beside those of this machine.
    pub names: Vec<String>,
}

struct App {
    pages: Pages,
    /// The names that a request may have in its field Host; `None` if any.
    names: Option<Vec<String>>,
}

/// Serves until `stop` is ready. `ready` gets the address, which has the port that the system
/// chose if the port asked for is 0.
///
/// # Errors
///
/// If the store cannot be read, or the address is taken.
pub fn run(
    service: Service,
    ready: impl FnOnce(SocketAddr) -> anyhow::Result<()>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let pages = Pages::new(service.store)?;
    let is_local = match service.address.ip() {
        IpAddr::V4(ip) => ip.is_loopback(),
        IpAddr::V6(ip) => ip.is_loopback(),
    };
    // A page on the web could make a browser ask this machine under a name of the page's own
    // (DNS rebinding), so a service for this machine answers to its names alone.
    let names = (is_local || !service.names.is_empty()).then(|| {
        let local = LOCAL.iter().map(|name| (*name).to_owned());
        local.chain(service.names).collect()
    });
    let app = Arc::new(App { pages, names });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(AT_ONCE)
        .enable_all()
        .build()
        .context("starting the server")?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind(service.address)
            .await
            .with_context(|| {
                format!(
                    "{} cannot be listened on; --listen names another",
                    service.address
                )
            })?;
        ready(listener.local_addr()?)?;
        axum::serve(listener, router(app))
            .with_graceful_shutdown(stop)
            .await
            .context("serving")
    })
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/runs/{run}", get(report))
        .route("/runs/{run}/summary.json", get(summary))
        .route("/history", get(history))
        .route("/history.json", get(history_json))
        .route("/fleet", get(fleet))
        .route("/runs.json", get(runs_json))
        .fallback(async || plain(StatusCode::NOT_FOUND, "there is no such page"))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// Refuses other names and other methods, and gives every answer its headers.
async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let is_known = |names: &Vec<String>| names.iter().any(|own| own.eq_ignore_ascii_case(name));
    let mut response = match &app.names {
        Some(names) if !is_known(names) => plain(
            StatusCode::MISDIRECTED_REQUEST,
            "this service has another name; `touchstone serve --name NAME` adds one",
        ),
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::VARY, "accept-encoding"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The policy of the report's page, which also forbids frames and forms.
fn policy() -> &'static str {
    concat!(
        env!("REPORT_POLICY"),
        "; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

fn plain(status: StatusCode, text: &str) -> Response {
    let mut response = Response::new(Body::from(format!("{text}\n")));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

type Questions = Query<HashMap<String, String>>;

async fn index(
    State(app): State<Arc<App>>,
    Query(asked): Questions,
    headers: HeaderMap,
) -> Response {
    let before = asked.get("before").and_then(|run| run.parse().ok());
    answer(app, headers, move |pages| pages.index(before)).await
}

async fn runs_json(
    State(app): State<Arc<App>>,
    Query(asked): Questions,
    headers: HeaderMap,
) -> Response {
    let before = asked.get("before").and_then(|run| run.parse().ok());
    answer(app, headers, move |pages| pages.runs(before)).await
}

async fn report(
    State(app): State<Arc<App>>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Response {
    answer(app, headers, move |pages| pages.report(&run)).await
}

async fn summary(
    State(app): State<Arc<App>>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Response {
    answer(app, headers, move |pages| pages.summary(&run)).await
}

async fn history(
    State(app): State<Arc<App>>,
    Query(asked): Questions,
    headers: HeaderMap,
) -> Response {
    let algorithm = asked.get("algorithm").cloned().unwrap_or_default();
    answer(app, headers, move |pages| pages.history(&algorithm)).await
}

async fn history_json(
    State(app): State<Arc<App>>,
    Query(asked): Questions,
    headers: HeaderMap,
) -> Response {
    let algorithm = asked.get("algorithm").cloned().unwrap_or_default();
    answer(app, headers, move |pages| pages.history_json(&algorithm)).await
}

async fn fleet(
    State(app): State<Arc<App>>,
    Query(asked): Questions,
    headers: HeaderMap,
) -> Response {
    let algorithm = asked.get("algorithm").cloned().unwrap_or_default();
    answer(app, headers, move |pages| pages.fleet(&algorithm)).await
}

/// Makes a page on a thread that may wait for the database.
async fn answer(
    app: Arc<App>,
    headers: HeaderMap,
    make: impl FnOnce(&Pages) -> anyhow::Result<Option<Arc<Page>>> + Send + 'static,
) -> Response {
    let made = tokio::task::spawn_blocking(move || make(&app.pages)).await;
    match made {
        Ok(Ok(Some(page))) => whole(&page, &headers),
        Ok(Ok(None)) => plain(StatusCode::NOT_FOUND, "the store has nothing of this name"),
        Ok(Err(error)) => {
            output::say(&crate::text::visible_lines(&format!("{error:#}")));
            plain(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the page could not be made; the service's own messages say why",
            )
        }
        Err(_) => plain(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the page could not be made",
        ),
    }
}

fn whole(page: &Page, headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let packed = accepted.split(',').any(|one| {
        let mut parts = one.split(';').map(str::trim);
        parts.next() == Some("gzip") && parts.next() != Some("q=0")
    });
    let body = if packed { &page.packed } else { &page.plain };
    let mut response = Response::new(Body::from(body.clone()));
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(page.kind));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if packed {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}
