//! What browsers and scripts send: JSON, and work that may wait for a disk.

use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The JSON body of a request. One that cannot be used is refused in a sentence that names the field.
pub(crate) struct Sent<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = (StatusCode, String);

    async fn from_request(request: Request, state: &S) -> Result<Sent<T>, Self::Rejection> {
        let Json(body) = Json::<Value>::from_request(request, state).await.map_err(|rejection| {
            let why = "This request cannot be read: its body has to be JSON, sent as application/json.";
            (rejection.status(), why.to_string())
        })?;
        serde_path_to_error::deserialize(body).map(Sent).map_err(|error| {
            let why = match error.path().to_string().as_str() {
                "." => "This request lacks a field that is needed here: load the page again.".to_string(),
                field => format!("This value of \"{field}\" cannot be used here."),
            };
            (StatusCode::UNPROCESSABLE_ENTITY, why)
        })
    }
}

/// Does something that may wait for a disk, apart from the thread that serves everybody.
pub(super) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Minutes {
        #[expect(dead_code, reason = "only its errors are looked at")]
        minutes: u64,
    }

    #[tokio::test]
    async fn values_that_cannot_be_used_are_named_in_a_sentence() {
        let answer = async |body: &str, kind: &str| {
            let request = Request::post("/").header("content-type", kind).body(Body::from(body.to_string()));
            Sent::<Minutes>::from_request(request.unwrap(), &()).await.map(|_| ())
        };
        let json = "application/json";
        assert_eq!(answer(r#"{"minutes": 5}"#, json).await, Ok(()));
        for (body, kind, status, part) in [
            (r#"{"minutes": -1}"#, json, 422, "This value of \"minutes\" cannot"),
            (r#"{"minutes": "<b>"}"#, json, 422, "This value of \"minutes\" cannot"),
            ("{}", json, 422, "lacks a field"),
            ("7", json, 422, "lacks a field"),
            (r#"{"minutes": "#, json, 400, "has to be JSON"),
            (r#"{"minutes": 5}"#, "text/plain", 415, "has to be JSON"),
        ] {
            let (refused, why) = answer(body, kind).await.unwrap_err();
            assert!(refused.as_u16() == status && why.contains(part), "{body}: {refused} {why}");
        }
    }
}
