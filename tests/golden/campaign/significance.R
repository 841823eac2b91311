# What R says about the values of trec_eval.csv. Written by tests/golden/make.py: Rscript significance.R < trec_eval.csv > significance.csv
options(digits = 17)
data <- read.csv(file("stdin"), colClasses = c(system = "character", topic = "character"))
cat("measure,what,first,second,value\n")
for (measure in c("map", "P_5", "ndcg_cut_10")) {
    say <- function(what, first, second, value) {
        cat(sprintf("%s,%s,%s,%s,%.17g\n", measure, what, first, second, value), sep = "")
    }
    x <- tapply(data[[measure]], list(data$topic, data$system), identity)
    long <- data.frame(y = data[[measure]], system = factor(data$system), topic = factor(data$topic))
    pairs <- combn(colnames(x), 2)
    first <- pairs[1, ]
    second <- pairs[2, ]
    per_pair <- function(statistic) sapply(seq_along(first), function(i) statistic(x[, first[i]], x[, second[i]]))
    t_p <- per_pair(function(a, b) t.test(a, b, paired = TRUE)$p.value)
    say("paired t: p", first, second, t_p)
    say("paired t: low", first, second, per_pair(function(a, b) t.test(a, b, paired = TRUE)$conf.int[1]))
    say("paired t: high", first, second, per_pair(function(a, b) t.test(a, b, paired = TRUE)$conf.int[2]))
    say("signed-rank (normal): p", first, second, per_pair(function(a, b) {
        # 0.6 - 0.4 and 0.4 - 0.2 are the same difference, which R 4.2 ranks apart unless they are rounded
        suppressWarnings(wilcox.test(round(a - b, 12), exact = FALSE, correct = FALSE)$p.value)
    }))
    say("rank-sum (normal): p", first, second, per_pair(function(a, b) {
        suppressWarnings(wilcox.test(a, b, exact = FALSE, correct = TRUE)$p.value)
    }))
    say("sign: p", first, second, per_pair(function(a, b) binom.test(sum(a > b), sum(a != b))$p.value))
    for (method in c("bonferroni", "holm", "hochberg", "BH", "BY")) {
        say(paste0("paired t (", method, "): p"), first, second, p.adjust(t_p, method))
    }
    for (model in c("y ~ topic + system", "y ~ system")) {
        fit <- aov(as.formula(model), long)
        table <- summary(fit)[[1]]
        row <- which(trimws(rownames(table)) == "system")
        say(paste0(model, ": F"), "", "", table[row, "F value"])
        say(paste0(model, ": p"), "", "", table[row, "Pr(>F)"])
        tukey <- TukeyHSD(fit, "system")$system
        names <- strsplit(rownames(tukey), "-")
        say(paste0(model, " (Tukey): p"), sapply(names, `[`, 2), sapply(names, `[`, 1), tukey[, "p adj"])
    }
    say("Friedman: statistic", "", "", friedman.test(x)$statistic)
    say("Friedman: p", "", "", friedman.test(x)$p.value)
    say("Kruskal-Wallis: statistic", "", "", kruskal.test(y ~ system, long)$statistic)
    say("Kruskal-Wallis: p", "", "", kruskal.test(y ~ system, long)$p.value)
    means <- colMeans(x)
    say("mean", names(means), "", means)
}
